import { ApiError, errorFromAnswer, readRetryAfter } from "../errors";
import { newTraceparent, traceIdOf } from "../traceparent";
import { currentConnection } from "./connection";
import { xsrfToken } from "./csrf";
import { replaceOlder } from "./replace";

/** The specification, §9: how long a call may take, its second try included. */
export const TIMEOUT_MS = 25_000;
/** The specification, §9: after these a GET is sent once more. */
export const RETRIED_STATUSES: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504];
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
  beside?: true | undefined;
  /** Goes on when the page is left; its body must be small. */
  keepalive?: true | undefined;
}

/**
 * Sends one request under every rule that does not depend on who is signed in: the time limit, the retry of a GET,
 * and the replacement of an older identical request. Every failure is an `ApiError`.
 */
export async function sendRequest(
  request: Request,
  authorization: string | null,
): Promise<unknown> {
  const url = new URL(request.url, currentConnection().baseUrl);
  const traceparent = newTraceparent();
  const traceId = traceIdOf(traceparent);
  const body = request.body instanceof Blob ? request.body : JSON.stringify(request.body);
  const { controller, done } = request.beside
    ? { controller: new AbortController(), done: () => {} }
    : replaceOlder(`${request.method} ${url.href} ${String(body)}`);
  let outOfTime = false;
  const timer = setTimeout(() => {
    outOfTime = true;
    controller.abort();
  }, TIMEOUT_MS);
  const signal = request.signal
    ? AbortSignal.any([controller.signal, request.signal])
    : controller.signal;

  try {
    const response = await fetchWithRetry(url.href, {
      method: request.method,
      headers: headersFor(request, authorization, traceparent),
      credentials: "same-origin",
      signal,
      ...(body === undefined ? {} : { body }),
      ...(request.keepalive ? { keepalive: true } : {}),
    });
    return await readAnswer(response, traceId);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const code = outOfTime ? "TIMEOUT" : signal.aborted ? "REPLACED" : "NETWORK";
    throw new ApiError({ status: 0, code, traceId, cause: error });
  } finally {
    clearTimeout(timer);
    done();
  }
}

/** A GET that fails for a reason that may pass is sent once more, after a wait. */
async function fetchWithRetry(
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  const first = await fetch(url, init).catch((error: unknown) => {
    if (init.method !== "GET" || init.signal.aborted) throw error;
    return null;
  });
  const mayPass = first === null || RETRIED_STATUSES.includes(first.status);
  if (first !== null && (init.method !== "GET" || !mayPass)) return first;
  // Its connection is of use again only when the body is read or given up.
  await first?.body?.cancel();
  await wait(delayBeforeRetry(first), init.signal);
  return fetch(url, init);
}

async function readAnswer(response: Response, traceId: string): Promise<unknown> {
  if (response.ok && isPdf(response)) return response.blob();
  const text = await response.text();
  const body = isJson(response) ? parseJson(text) : undefined;
  const { status, headers } = response;
  if (!response.ok) throw errorFromAnswer({ status, headers, body }, traceId);
  if (body === undefined && !mayBeEmpty(response))
    throw new ApiError({ status, code: "UNKNOWN", traceId });
  return body;
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
function delayBeforeRetry(failed: Response | null): number {
  const jitter = JITTER_MS.from + Math.random() * (JITTER_MS.to - JITTER_MS.from);
  const asked = failed && failed.status !== 503 ? readRetryAfter(failed.headers) : null;
  return Math.min(Math.max(jitter, (asked ?? 0) * 1000), LONGEST_WAIT_MS);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** 202 promises that something will be done, and often there is no more to say. */
function mayBeEmpty(response: Response): boolean {
  return response.status === 202 || response.status === 204;
}

function isJson(response: Response): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
}

function isPdf(response: Response): boolean {
  return response.headers.get("content-type") === "application/pdf";
}
