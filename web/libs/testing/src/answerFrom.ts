import type { Answer, Body, Method, PathOf, PathParameters } from "@konomana/http";
import type { JsonResponse, ProblemResponse } from "./answers";
import type { ApiCall } from "./stubServer";

/**
 * A path with its parameters filled in: a number, a word of a fixed set, or any text as `{name}`.
 */
type Filled<
  Path extends string,
  Parameters,
> = Path extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}${Segment<Name, Parameters[Name & keyof Parameters]>}${Filled<After, Parameters>}`
  : Path;

type Segment<Name extends string, Value> = Value extends number
  ? `${number}`
  : string extends Value
    ? `{${Name}}`
    : Value & string;

/** A file, e.g. a PDF, is sent as an ordinary response. */
type Reply<Content> =
  | Content
  | JsonResponse<Content>
  | ProblemResponse
  | ([Content] extends [Blob] ? Response : never);

type AnswersTo<M extends Method> = {
  [
    P in PathOf<M> as P extends `/api/${infer Below}`
      ? `${M} ${Filled<Below, PathParameters<M, P>>}`
      : never
  ]?: (call: ApiCall<Body<M, P>>) => Reply<Answer<M, P>> | Promise<Reply<Answer<M, P>>>;
};

/**
 * Answers by method and path below `/api/`, e.g. `GET lms/lesson/12/` or `GET commerce/order/{id}/`,
 * typed by the API document: a value is sent as JSON, a response as it is.
 */
export type Answers = AnswersTo<"GET"> & AnswersTo<"POST"> & AnswersTo<"PUT"> & AnswersTo<"DELETE">;

type AnyAnswer = (call: ApiCall) => unknown;

/** The answer to a call. `undefined` if there is none, which `stubServer` sends as a 404. */
export function answerFrom(answers: Answers, call: ApiCall): unknown {
  const received = `${call.method} ${call.path}`;
  const all = answers as Readonly<Record<string, AnyAnswer | undefined>>;
  const key = Object.keys(all).find((pattern) => matches(pattern, received));
  return (all[received] ?? all[key ?? ""])?.(call);
}

/** Whether a method and path match a pattern with parameters. */
function matches(pattern: string, received: string): boolean {
  const segments = received.split("/");
  const wanted = pattern.split("/");
  return (
    wanted.length === segments.length &&
    wanted.every((segment, index) => segment.startsWith("{") || segment === segments[index])
  );
}
