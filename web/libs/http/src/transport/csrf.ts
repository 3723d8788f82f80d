import { currentConnection } from "./connection";

/** The value of the readable XSRF cookie, which unsafe calls repeat in X-XSRF-TOKEN. */
export function xsrfToken(): string | null {
  const cookies = currentConnection().cookies() ?? "";
  const found = cookies.split("; ").find((cookie) => cookie.startsWith("XSRF-TOKEN="));
  return found ? decodeURIComponent(found.slice("XSRF-TOKEN=".length)) : null;
}

/** Whether the page has no XSRF cookie to repeat. */
export function lacksXsrfToken(): boolean {
  return currentConnection().cookies() !== null && xsrfToken() === null;
}
