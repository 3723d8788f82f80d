import { currentConnection } from "./connection";

/** The value of the readable cookie that unsafe calls must repeat in X-XSRF-TOKEN. */
export function xsrfToken(): string | null {
  const cookies = currentConnection().cookies() ?? "";
  const found = cookies.split("; ").find((cookie) => cookie.startsWith("XSRF-TOKEN="));
  return found ? decodeURIComponent(found.slice("XSRF-TOKEN=".length)) : null;
}

/** Whether an unsafe call would go out from a page without the cookie it has to repeat. */
export function lacksXsrfToken(): boolean {
  return currentConnection().cookies() !== null && xsrfToken() === null;
}
