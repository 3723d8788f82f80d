import { onTestFinished, vi } from "vitest";
import { problem } from "./answers";

/** A call as the server receives it. */
export interface ApiCall<Body = unknown> {
  method: string;
  /** Below `/api/`, e.g. `accounts/login/`. */
  path: string;
  /** The query with its `?`; empty without one. */
  search: string;
  query: URLSearchParams;
  headers: Headers;
  /** A JSON body parsed, any other as it is. */
  body: Body;
  keepalive: boolean;
}

/** A response, or a value to send as JSON; `undefined` is a 404. */
type Reply = unknown;

/**
 * Stubs the API until the test ends, and returns the received calls. Requests outside `/api/` go to
 * the network.
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
