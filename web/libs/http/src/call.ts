import type { Answer, Arguments, Method, PathOf } from "./operation";
import { currentConnection } from "./transport/connection";
import type { Request } from "./transport/request";
import { sendPublic, sendSignedIn, sendWith } from "./transport/send";
import { type Query, toQuery } from "./toQuery";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, e.g. of an unmounted screen or a cancelled query. */
  signal?: AbortSignal | undefined;
  /** The `next` or `previous` link of a paged answer, followed instead of `query`. */
  link?: string | null | undefined;
  /** The request survives leaving the page; its body must be small. */
  keepalive?: true;
}

type Options<M extends Method, P extends PathOf<M>, More> = Arguments<M, P> & CallOptions & More;
/** The options are optional if the operation needs none. */
type Rest<Given> = object extends Given ? [options?: Given] : [options: Given];

/** The options of any operation, as `call` sees them at run time. */
interface AnyOptions extends CallOptions {
  params?: Readonly<Record<string, string | number>>;
  query?: Query;
  body?: object;
  idempotencyKey?: string;
  token?: string;
}

/**
 * Calls an API operation as the signed-in person. With `token`, it uses that access token and
 * throws a 401 like any other failure. Failures are `ApiError`s.
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

/** Calls a public API operation without a token. Failures are `ApiError`s. */
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
 * The path and query of a link, on the API's own origin. Links name the public host, but the site
 * may be open under another name. This also keeps tokens from being sent to another host.
 */
function onOwnOrigin(link: string): string {
  const { origin } = new URL(currentConnection().baseUrl);
  const { pathname, search } = new URL(link, origin);
  return origin + pathname + search;
}
