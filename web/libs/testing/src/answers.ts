import type { ErrorCode, FieldError } from "@konomana/http";

export const json = (body: unknown, status = 200) => Response.json(body, { status });

export const done = (status = 204) => new Response(null, { status });

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
): Response {
  const body = { status, code, trace_id: "0af7651916cd43dd8448eb211c80319c", ...parts };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}
