import { ApiError } from "../errors";
import { currentConnection } from "./connection";
import { lacksXsrfToken } from "./csrf";
import { type Request, sendRequest } from "./request";

const LEARNING = "/api/lms/";
/** Public, available during maintenance, and sets the XSRF cookie. */
const COOKIE_SOURCE = "/api/maintenance/";

/** A public call without a token. */
export async function sendPublic<Answer>(request: Request): Promise<Answer> {
  return withXsrfAndMaintenance(request, () => sendRequest(request, null)) as Promise<Answer>;
}

/** A call with the caller's own access token. A 401 is thrown like any other failure. */
export async function sendWith<Answer>(token: string, request: Request): Promise<Answer> {
  const authorization = authorizationFor(request, token);
  return withXsrfAndMaintenance(request, () =>
    sendRequest(request, authorization),
  ) as Promise<Answer>;
}

/**
 * A call of a signed-in person. After a 401 it refreshes the tokens and retries once. If that fails
 * too, the person is logged out and the error is thrown (the specification, §8).
 */
export async function sendSignedIn<Answer>(request: Request): Promise<Answer> {
  const { session } = currentConnection();
  const token = await session.token();
  return withXsrfAndMaintenance(request, async () => {
    try {
      return await sendRequest(request, authorizationFor(request, token));
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
      const newer = await session.renew(token);
      try {
        return await sendRequest(request, authorizationFor(request, newer));
      } catch (again) {
        if (isUnauthenticated(again)) session.lost();
        throw again;
      }
    }
  }) as Promise<Answer>;
}

/** Gets the XSRF cookie before an unsafe call, and reports maintenance. */
async function withXsrfAndMaintenance(
  request: Request,
  call: () => Promise<unknown>,
): Promise<unknown> {
  if (request.method !== "GET" && lacksXsrfToken()) await renewXsrfCookie();
  try {
    return await call();
  } catch (error) {
    if (error instanceof ApiError && error.maintenance)
      currentConnection().onMaintenance(error.maintenance);
    // The call is not retried. The next one uses the new cookie.
    if (error instanceof ApiError && error.code === "CSRF_FAILED") await renewXsrfCookie();
    throw error;
  }
}

let pendingCookie: Promise<unknown> | null = null;

/** Concurrent calls share one renewal: a second cookie would invalidate the first call's header. */
async function renewXsrfCookie(): Promise<void> {
  pendingCookie ??= sendRequest({ method: "GET", url: COOKIE_SOURCE, beside: true }, null).finally(
    () => (pendingCookie = null),
  );
  await pendingCookie;
}

/** Account calls carry `Bearer t`, learning calls the bare token (the specification, §7). */
function authorizationFor(request: Request, token: string): string {
  const { pathname } = new URL(request.url, currentConnection().baseUrl);
  return pathname.startsWith(LEARNING) ? token : `Bearer ${token}`;
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
