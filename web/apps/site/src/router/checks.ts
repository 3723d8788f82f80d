import type { Scope, Screen } from "@konomana/screens";
import { ensureUser, hasScope, requireAuth } from "@konomana/session";
import { data, type MiddlewareFunction } from "react-router";

/** Path and query of a request, for messages. */
function fullPath(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return decodeURI(pathname) + search;
}

/** Throws the error of the specification, §8, for an unmatched path. */
export function unmatched({ request }: { request: Request }): never {
  throw data(`Page not found: ${fullPath(request)}`, { status: 404 });
}

/**
 * Middleware that throws the fatal error of the specification, §5, if a screen's validity check
 * fails.
 */
function checkValid(valid: NonNullable<Screen["valid"]>): MiddlewareFunction {
  return ({ request, params }) => {
    if (!valid(params)) throw data(`Page Not Found: ${fullPath(request)}`, { status: 404 });
  };
}

/** Middleware that requires a scope. `requireAuth` runs before it, so a user is signed in. */
function requireScope(scope: Scope): MiddlewareFunction {
  return async () => {
    if (!hasScope(await ensureUser(), scope)) throw data("FORBIDDEN", { status: 403 });
  };
}

/** The middleware of a screen, in order. */
export function checksOf({ valid, scope }: Screen): MiddlewareFunction[] {
  return [
    ...(valid === undefined ? [] : [checkValid(valid)]),
    ...(scope === undefined ? [] : [requireAuth]),
    ...(scope === undefined || scope === "any" ? [] : [requireScope(scope)]),
  ];
}
