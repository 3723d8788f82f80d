import type { ApiError } from "@konomana/http";

/** Whether the server had no time for the call. The same call may succeed soon. */
export function isBusy({ status }: ApiError): boolean {
  return status === 429 || status === 502 || status === 504;
}

/** Whether the same call may succeed later: the server can't be reached, is closed, or requires a login. */
export function mayPass({ status }: ApiError): boolean {
  return status === 0 || status === 401 || status === 429 || status >= 500;
}
