import type { ErrorCode, FieldError } from "@konomana/http";

declare const content: unique symbol;

/** A response with this value as JSON. Only the types know it. */
export type JsonResponse<Body> = Response & { readonly [content]: Body };

/** A problem response. Any call may have it. */
export type ProblemResponse = Response & { readonly [content]: "problem" };

export function json<Body>(
  body: Body,
  status = 200,
  headers: Record<string, string> = {},
): JsonResponse<Body> {
  return Response.json(body, { status, headers }) as JsonResponse<Body>;
}

/** A response without a body. */
export function done(status = 204): JsonResponse<undefined> {
  return new Response(null, { status }) as JsonResponse<undefined>;
}

interface ProblemParts {
  errors?: FieldError[];
  /** For `ACCOUNT_CLOSING`. */
  erase_at?: string;
  trace_id?: string;
}

/** A problem response in the server's format. */
export function problem(
  status: number,
  code: ErrorCode,
  parts: ProblemParts = {},
  headers: Record<string, string> = {},
): ProblemResponse {
  const body = { status, code, trace_id: "0af7651916cd43dd8448eb211c80319c", ...parts };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  }) as ProblemResponse;
}
