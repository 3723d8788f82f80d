import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import { redirect, type MiddlewareFunction } from "react-router";
import { SessionOver } from "./refresh";
import { rememberPath } from "./remember";
import { ensureUser } from "./session";

/**
 * Route middleware: only a signed-in user passes, before the page opens (the specification, §6). Others go to
 * the login, which brings them back here.
 */
export const requireAuth: MiddlewareFunction = async ({ request }) => {
  const { pathname, search, hash } = new URL(request.url);
  const wanted = pathname + search + hash;
  try {
    if (await ensureUser()) return;
  } catch (error) {
    if (error instanceof ApiError && error.maintenance) throw redirect(paths.maintenance());
    if (!(error instanceof SessionOver)) throw error;
  }
  rememberPath(wanted);
  throw redirect(paths.login());
};
