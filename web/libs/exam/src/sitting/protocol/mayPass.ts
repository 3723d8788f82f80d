import type { ApiError } from "@konomana/http";

/** Whether a call may succeed later, with nothing changed: the server can't be reached, is closed, or wants a login. */
export function mayPass({ status }: ApiError): boolean {
  return status === 0 || status === 401 || status === 429 || status >= 500;
}
