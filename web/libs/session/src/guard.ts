import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import { redirect, type MiddlewareFunction } from "react-router";
import { type LoginReason, loginReason } from "./loginReason";
import { SessionOver } from "./refresh";
import { rememberPath } from "./returnPath";
import { ensureUser } from "./signedInUser";

/**
 * Route middleware that lets only a signed-in user pass, before the page opens (the specification,
 * §6). Visitors go to the login, which shows the reason and returns here afterwards.
 */
export const requireAuth: MiddlewareFunction = async ({ request }) => {
  const { pathname, search, hash } = new URL(request.url);
  const wanted = pathname + search + hash;
  let why: LoginReason = "needed";
  try {
    if (await ensureUser()) return;
  } catch (error) {
    if (error instanceof ApiError && error.maintenance) throw redirect(paths.maintenance());
    if (!(error instanceof SessionOver)) throw error;
    why = error.why;
  }
  rememberPath(wanted);
  loginReason.keep(why);
  throw redirect(paths.login());
};
