import type { ErrorCode, FieldCode } from "./codes";
import type { MaintenanceInfo } from "./types";

/** One refused field with its error code, e.g. `{field: "email", code: "REQUIRED"}`. */
export interface FieldError {
  field: string;
  code: FieldCode;
}

interface ApiErrorParts {
  /** The HTTP status; 0 without an answer. */
  status: number;
  code: ErrorCode;
  traceId: string;
  errors?: FieldError[];
  /** Seconds to wait, from Retry-After. */
  retryAfter?: number | null;
  maintenance?: MaintenanceInfo | null;
  detail?: string;
  details?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** The error of every failed call. `detail` is technical; people read `errorSentence(code)`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly traceId: string;
  readonly errors: FieldError[];
  readonly retryAfter: number | null;
  readonly maintenance: MaintenanceInfo | null;
  /** The whole problem body. Some error codes come with more fields. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(parts: ApiErrorParts) {
    super(parts.detail || parts.code, { cause: parts.cause });
    this.name = "ApiError";
    this.status = parts.status;
    this.code = parts.code;
    this.traceId = parts.traceId;
    this.errors = parts.errors ?? [];
    this.retryAfter = parts.retryAfter ?? null;
    this.maintenance = parts.maintenance ?? null;
    this.details = parts.details ?? {};
  }
}

/** Retry-After in seconds, from a number or a date; null if absent. */
export function readRetryAfter(headers: Headers, now = Date.now()): number | null {
  const text = headers.get("retry-after");
  if (!text) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

interface Problem {
  code?: ErrorCode;
  detail?: string;
  trace_id?: string;
  errors?: FieldError[];
}

/**
 * Makes the error for an answer with a failing status. The body of a 503 is maintenance
 * information.
 */
export function errorFromAnswer(
  answer: { status: number; headers: Headers; body: unknown },
  traceId: string,
): ApiError {
  const retryAfter = readRetryAfter(answer.headers);
  if (answer.status === 503) {
    const maintenance = isMaintenance(answer.body) ? answer.body : null;
    return new ApiError({ status: 503, code: "MAINTENANCE", traceId, retryAfter, maintenance });
  }
  const problem: Problem = isObject(answer.body) ? answer.body : {};
  return new ApiError({
    status: answer.status,
    code: problem.code ?? "UNKNOWN",
    traceId: problem.trace_id ?? traceId,
    ...(problem.detail ? { detail: problem.detail } : {}),
    errors: problem.errors ?? [],
    details: { ...problem },
    retryAfter,
  });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isMaintenance(body: unknown): body is MaintenanceInfo {
  return isObject(body) && "title" in body && "message" in body;
}
