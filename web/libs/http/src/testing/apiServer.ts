/** A real HTTP server for tests, so that requests and answers go over a socket. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { ErrorCode } from "../codes";
import { connectApi } from "../transport/connection";

export interface Received {
  method: string;
  /** Path and query as received. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON, or as it is if it is text. */
  body?: unknown;
}

/** Null leaves the request without an answer. */
type Answering = (request: Received, count: number) => Reply | null | Promise<Reply | null>;

/**
 * Starts a server for the running test and points the client at it. `answer` gets each request with
 * its number, from 1. Returns the received requests.
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

/** A problem body in the edge's format. */
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
