import type { Scope, Screen } from "@konomana/screens";
import { ensureUser, hasScope, requireAuth } from "@konomana/session";
import { data, type MiddlewareFunction } from "react-router";

/** Path and query of a request, as messages name them. */
function fullPath(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return decodeURI(pathname) + search;
}

/** The error of the specification, §8, for a path that no route knows. */
export function unmatched({ request }: { request: Request }): never {
  throw data(`Page not found: ${fullPath(request)}`, { status: 404 });
}

/** Raises the fatal error of the specification, §5, where a screen's validity check fails. */
function checkValid(valid: NonNullable<Screen["valid"]>): MiddlewareFunction {
  return ({ request, params }) => {
    if (!valid(params)) throw data(`Page Not Found: ${fullPath(request)}`, { status: 404 });
  };
}

/** Lets only those pass who hold the scope; `requireAuth` has seen to it that somebody is signed in. */
function requireScope(scope: Scope): MiddlewareFunction {
  return async () => {
    if (!hasScope(await ensureUser(), scope)) throw data("FORBIDDEN", { status: 403 });
  };
}

/** What is checked before a screen opens, in this order. */
export function checksOf({ valid, scope }: Screen): MiddlewareFunction[] {
  return [
    ...(valid === undefined ? [] : [checkValid(valid)]),
    ...(scope === undefined ? [] : [requireAuth]),
    ...(scope === undefined || scope === "any" ? [] : [requireScope(scope)]),
  ];
}
