import { onTestFinished, vi } from "vitest";
import { problem } from "./answers";

/** A call as it reaches the server. */
export interface ApiCall {
  method: string;
  /** Below `/api/`, e.g. `accounts/login/`. */
  path: string;
  /** The query as it is written, with its `?`; empty without one. */
  search: string;
  query: URLSearchParams;
  headers: Headers;
  /** What JSON brought; anything else as it is. */
  body: unknown;
  keepalive: boolean;
}

/** A response as it is, or a value to send as JSON; `undefined` is not found. */
type Reply = unknown;

/**
 * Answers the API's calls in place of a server until the test is over, and returns the calls that came. What is not
 * below `/api/` goes to the network.
 */
export function stubServer(answer: (call: ApiCall) => Reply): ApiCall[] {
  const calls: ApiCall[] = [];
  const network = globalThis.fetch;
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const { pathname, search, searchParams } = new URL(address, location.origin);
    if (!pathname.startsWith("/api/")) return network(address, init);
    const { method = "GET", body, headers, keepalive = false } = init;
    const call: ApiCall = {
      method,
      path: pathname.slice("/api/".length),
      search,
      query: searchParams,
      headers: new Headers(headers),
      body: typeof body === "string" ? (JSON.parse(body) as unknown) : body,
      keepalive,
    };
    calls.push(call);
    const reply = await answer(call);
    if (reply === undefined) return problem(404, "NOT_FOUND");
    return reply instanceof Response ? reply : Response.json(reply);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return calls;
}
