/** A real HTTP server for tests: what the client sends arrives over a socket, and so does what it gets. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { ErrorCode } from "../codes";
import { connectApi } from "../transport/connection";

export interface Received {
  method: string;
  /** Path and query as they came. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is text. */
  body?: unknown;
}

/** Null never answers. */
type Answering = (request: Received, count: number) => Reply | null | Promise<Reply | null>;

/**
 * Starts a server for the running test, points the client at it, and returns what it receives. `answer` is
 * given each request with its number, from 1.
 */
export async function serve(answer: Answering): Promise<{ origin: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request: Received = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    };
    const reply = await answer(request, received.push(request));
    if (!reply) return;
    const { status = 200, headers = {}, body } = reply;
    const isText = typeof body === "string";
    outgoing.writeHead(status, {
      ...(body === undefined ? {} : { "content-type": isText ? "text/html" : "application/json" }),
      ...headers,
    });
    outgoing.end(body === undefined || isText ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connectApi({ baseUrl: origin });
  return { origin, received };
}

/** A problem body as the edge writes it. */
export function problem(status: number, code: ErrorCode, rest: object = {}): Reply {
  return {
    status,
    headers: { "content-type": "application/problem+json" },
    body: {
      type: "about:blank",
      title: code,
      status,
      detail: code,
      code,
      trace_id: "0af7651916cd43dd8448eb211c80319c",
      ...rest,
    },
  };
}
