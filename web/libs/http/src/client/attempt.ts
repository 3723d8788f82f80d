import { FetchError, ofetch } from "ofetch";
import { ApiError, errorFromAnswer, readRetryAfter } from "../errors";
import { newTraceparent, traceIdOf } from "../traceparent";
import { currentConnection } from "./connection";
import { xsrfToken } from "./csrf";
import { replaceOlder } from "./replace";

/** The specification, §9: how long a call may take, its second try included. */
export const TIMEOUT_MS = 25_000;
/** The specification, §9: after these a GET is sent once more. */
export const RETRIED_STATUSES = [408, 409, 425, 429, 500, 502, 503, 504];
/** How long the second try waits, drawn at random so that clients do not come back all at once. */
const JITTER_MS = { from: 200, to: 600 };
/** The longest Retry-After that a person in front of the screen is made to wait for. */
const LONGEST_WAIT_MS = 5_000;

export interface Request {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** On the API's own origin; a path will do. */
  url: string;
  /** Sent as JSON; a `Blob` as it is. */
  body?: object | undefined;
  /** By which the server knows a repeated request, and does not do again what it did. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Runs beside an identical request instead of replacing it. */
  beside?: true;
  /** Goes on when the page is left; its body must be small. */
  keepalive?: true;
}

/** Sends one request under every rule that does not depend on who is signed in. */
export async function attempt<Answer>(
  request: Request,
  authorization: string | null,
): Promise<Answer> {
  const url = new URL(request.url, currentConnection().baseUrl);
  const traceparent = newTraceparent();
  const traceId = traceIdOf(traceparent);
  const { controller, done } = request.beside
    ? { controller: new AbortController(), done: () => {} }
    : replaceOlder(`${request.method} ${url.href} ${JSON.stringify(request.body ?? null)}`);
  let outOfTime = false;
  const timer = setTimeout(() => {
    outOfTime = true;
    controller.abort();
  }, TIMEOUT_MS);
  const signal = request.signal
    ? AbortSignal.any([controller.signal, request.signal])
    : controller.signal;

  try {
    const response = await ofetch.raw<Answer>(url.href, {
      method: request.method,
      headers: headersFor(request, authorization, traceparent),
      ...(request.body ? { body: request.body as Record<string, unknown> } : {}),
      ...(request.keepalive ? { keepalive: true } : {}),
      credentials: "same-origin",
      signal,
      retry: request.method === "GET" ? 1 : 0,
      retryStatusCodes: RETRIED_STATUSES,
      retryDelay: ({ response: failed }) => delayBeforeRetry(failed),
    });
    if (!mayBeEmpty(response) && !isJson(response))
      throw new ApiError({ status: response.status, code: "UNKNOWN", traceId });
    // oxlint-disable-next-line no-underscore-dangle -- the library's name for the parsed body
    return response._data as Answer;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (outOfTime) throw new ApiError({ status: 0, code: "TIMEOUT", traceId, cause: error });
    if (signal.aborted) throw new ApiError({ status: 0, code: "REPLACED", traceId, cause: error });
    if (error instanceof FetchError && error.response)
      throw errorFromAnswer(
        { status: error.response.status, headers: error.response.headers, body: error.data },
        traceId,
      );
    throw new ApiError({ status: 0, code: "NETWORK", traceId, cause: error });
  } finally {
    clearTimeout(timer);
    done();
  }
}

function headersFor(
  request: Request,
  authorization: string | null,
  traceparent: string,
): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json", traceparent };
  if (authorization) headers["authorization"] = authorization;
  const xsrf = xsrfToken();
  if (xsrf) headers["x-xsrf-token"] = xsrf;
  if (request.body)
    headers["content-type"] = request.body instanceof Blob ? request.body.type : "application/json";
  if (request.idempotencyKey) headers["idempotency-key"] = request.idempotencyKey;
  return headers;
}

/**
 * Retry-After is honoured up to five seconds. Not for 503: that one names the end of a maintenance, and a
 * person should read about it at once.
 */
function delayBeforeRetry(failed: Response | undefined): number {
  const jitter = JITTER_MS.from + Math.random() * (JITTER_MS.to - JITTER_MS.from);
  const asked = failed && failed.status !== 503 ? readRetryAfter(failed.headers) : null;
  return Math.min(Math.max(jitter, (asked ?? 0) * 1000), LONGEST_WAIT_MS);
}

/** 202 promises that something will be done, and often there is no more to say. */
function mayBeEmpty(response: Response): boolean {
  return response.status === 202 || response.status === 204;
}

function isJson(response: Response): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
}
