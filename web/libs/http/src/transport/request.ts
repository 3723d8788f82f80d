import { ApiError, errorFromAnswer, readRetryAfter } from "../errors";
import { newTraceparent, traceIdOf } from "../traceparent";
import { currentConnection } from "./connection";
import { xsrfToken } from "./csrf";
import { replaceOlder } from "./replace";
import { noteServerTime } from "./serverTime";

/** The specification, §9: timeout of a call, including its retry. */
export const TIMEOUT_MS = 25_000;
/** The specification, §9: a GET is retried after these. */
export const RETRIED_STATUSES: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504];
/** Delay before the retry, random so that clients do not all return at once. */
const JITTER_MS = { from: 200, to: 600 };
/** The longest Retry-After that the client waits for. */
const LONGEST_WAIT_MS = 5_000;

export interface Request {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** On the API's own origin; may be a path. */
  url: string;
  /** Sent as JSON; a `Blob` is sent as it is. */
  body?: object | undefined;
  /** Lets the server recognise a repeated request. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Runs beside an identical request instead of replacing it. */
  beside?: true | undefined;
  /** The request survives leaving the page; its body must be small. */
  keepalive?: true | undefined;
}

/**
 * Sends one request, without the rules of the session: timeout, retry of a GET, and replacement of
 * an older identical request. Every failure is an `ApiError`.
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

/** Retries a GET once after a transient failure and a wait. */
async function fetchWithRetry(
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  const first = await fetchOnce(url, init).catch((error: unknown) => {
    if (init.method !== "GET" || init.signal.aborted) throw error;
    return null;
  });
  const mayPass = first === null || RETRIED_STATUSES.includes(first.status);
  if (first !== null && (init.method !== "GET" || !mayPass)) return first;
  // The connection can be reused only after the body is read or cancelled.
  await first?.body?.cancel();
  await wait(delayBeforeRetry(first), init.signal);
  return fetchOnce(url, init);
}

async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  const sentAt = Date.now();
  const response = await fetch(url, init);
  noteServerTime(response, sentAt);
  return response;
}

async function readAnswer(response: Response, traceId: string): Promise<unknown> {
  if (response.ok && isFile(response)) return response.blob();
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
 * Retry-After is honoured up to five seconds. It is ignored for 503, where it names the end of a
 * maintenance: the person should see that at once.
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

/** 202 and 204 may have no body. */
function mayBeEmpty(response: Response): boolean {
  return response.status === 202 || response.status === 204;
}

function isJson(response: Response): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(typeOf(response));
}

function isFile(response: Response): boolean {
  return /^(?:application\/pdf|image\/jpeg)$/.test(typeOf(response));
}

function typeOf({ headers }: Response): string {
  return headers.get("content-type") ?? "";
}
