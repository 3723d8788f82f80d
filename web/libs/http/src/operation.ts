/** Types of one API operation: its arguments and its answer. */
import type { paths } from "./schema";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<M>, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = paths[P][Lowercase<M> & keyof paths[P]];

type Json<Content> = Content extends { "application/json": infer Value } ? Value : Blob;

/** The answer of a successful call; `undefined` if it has no body. */
export type Answer<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses }
    ? {
        [Status in keyof Responses & (200 | 201 | 202 | 204)]: Responses[Status] extends {
          content: infer Content extends object;
        }
          ? Json<Content>
          : undefined;
      }[keyof Responses & (200 | 201 | 202 | 204)]
    : never;

/** The parameters in the path of an operation. */
export type PathParameters<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { parameters: { path: infer Parameters extends object } }
    ? Parameters
    : object;

/** The request body. */
export type Body<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody?: infer Given }
    ? [Given] extends [undefined]
      ? never
      : Given extends { content: infer Content }
        ? Json<Content>
        : never
    : never;

/** An item of a paged answer. */
export type Item<P extends PathOf<"GET">> =
  Answer<"GET", P> extends { results: readonly (infer One)[] } ? One : never;

/** Maps `kind[]` of the document to `kind`: `toQuery` writes the brackets of arrays. */
type WithoutBrackets<Written> = {
  [Name in keyof Written as Name extends `${infer Bare}[]` ? Bare : Name]:
    | (Written[Name] extends readonly (infer One)[] | undefined ? readonly One[] : Written[Name])
    | undefined;
};

type QueryOption<Parameters> = Parameters extends { query: infer Written }
  ? { query: WithoutBrackets<Written> }
  : Parameters extends { query?: infer Written }
    ? { query?: [Written] extends [undefined] ? never : WithoutBrackets<Written> }
    : { query?: never };

/** The arguments of an operation. */
export type Arguments<M extends Method, P extends PathOf<M>> = (Operation<M, P> extends {
  parameters: { path: infer Path };
}
  ? { params: Record<keyof Path, string | number> }
  : { params?: never }) &
  (Operation<M, P> extends { parameters: infer Parameters }
    ? QueryOption<Parameters>
    : { query?: never }) &
  (Operation<M, P> extends { parameters: { header: { "Idempotency-Key": string } } }
    ? { idempotencyKey: string }
    : { idempotencyKey?: never }) &
  ([Body<M, P>] extends [never] ? { body?: never } : { body: Body<M, P> });

/** The query of an operation. */
export type Query<M extends Method, P extends PathOf<M>> = NonNullable<Arguments<M, P>["query"]>;
