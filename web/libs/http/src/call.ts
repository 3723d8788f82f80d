import type { Answer, Arguments, Method, PathOf } from "./operation";
import { currentConnection } from "./transport/connection";
import type { Request } from "./transport/request";
import { sendPublic, sendSignedIn, sendWith } from "./transport/send";
import { type Query, toQuery } from "./toQuery";

/** How to make a call, whatever it is about. */
export interface CallOptions {
  /** What an unmounted screen or a cancelled query aborts its call with. */
  signal?: AbortSignal | undefined;
  /** The `next` or `previous` link of a paged answer: it is followed in place of `query`. */
  link?: string | null | undefined;
  /** Goes on when the page is left; its body must be small. */
  keepalive?: true;
}

type Options<M extends Method, P extends PathOf<M>, More> = Arguments<M, P> & CallOptions & More;
/** The options may be left out where the operation needs none. */
type Rest<Given> = object extends Given ? [options?: Given] : [options: Given];

/** The options of any operation: what `call` sees of them when it runs. */
interface AnyOptions extends CallOptions {
  params?: Readonly<Record<string, string | number>>;
  query?: Query;
  body?: object;
  idempotencyKey?: string;
  token?: string;
}

/**
 * Calls an operation of the API as the signed-in person; with `token`, with an access token that the caller has,
 * where a 401 is thrown like any other failure. Failures are `ApiError`s.
 */
export function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...[options]: Rest<Options<M, P, { token?: string }>>
): Promise<Answer<M, P>> {
  const given: AnyOptions = options ?? {};
  const request = requestFor(method, path, given);
  const sent = given.token === undefined ? sendSignedIn(request) : sendWith(given.token, request);
  return sent as Promise<Answer<M, P>>;
}

/** Calls an operation that anybody may call; no token is sent. Failures are `ApiError`s. */
export function callPublic<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...[options]: Rest<Options<M, P, unknown>>
): Promise<Answer<M, P>> {
  return sendPublic(requestFor(method, path, options ?? {})) as Promise<Answer<M, P>>;
}

function requestFor(method: Method, path: string, options: AnyOptions): Request {
  const { params, query, link, body, idempotencyKey, signal, keepalive } = options;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params?.[name] ?? ""),
  );
  const url = link ? onOwnOrigin(link) : filled + toQuery(query ?? {});
  return { method, url, body, idempotencyKey, signal, keepalive };
}

/**
 * The path and query of a link, on the API's own origin: links name the public host, and the site may be open by
 * another of its names. Nor do secrets go anywhere else, whatever a link names.
 */
function onOwnOrigin(link: string): string {
  const { origin } = new URL(currentConnection().baseUrl);
  const { pathname, search } = new URL(link, origin);
  return origin + pathname + search;
}
