import { queryString, type QueryValue } from "./queryString";

/**
 * The values of a pattern's parameters, in order: `"/course/:id"` takes one number. Parameters
 * for secrets, accounts, certificates, interviews, orders, subscriptions and questions to teachers
 * are strings.
 */
type Values<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? [Value<Name>, ...Values<`/${Rest}`>]
  : Pattern extends `${string}:${infer Name}`
    ? [Value<Name>]
    : [];

type Value<Name extends string> = Name extends
  | "account"
  | "certificate"
  | "interview"
  | "order"
  | "refund"
  | "subscription"
  | "thread"
  | "uid"
  | "token"
  ? string
  : number;

/**
 * The address of a screen. Calling it with the values of its parameters and its query returns a
 * URL.
 */
export interface Address<Pattern extends string = string, Query extends unknown[] = never> {
  (...values: [...Values<Pattern>, ...Query]): string;
  /** The pattern, with `:name` for a parameter. */
  readonly pattern: Pattern;
}

export function makeAddress<const Pattern extends string, Query extends unknown[] = []>(
  pattern: Pattern,
  toQuery?: (...query: Query) => Readonly<Record<string, QueryValue>> | undefined,
): Address<Pattern, Query> {
  const build = (...values: [...Values<Pattern>, ...Query]) => {
    let next = 0;
    const path = pattern.replace(/:\w+/g, () => encodeURIComponent(String(values[next++])));
    const { page, ...query } = toQuery?.(...(values.slice(next) as Query)) ?? {};
    // Page 1 has no page parameter, so each list has one address.
    return path + queryString({ ...query, page: page === 1 ? undefined : page });
  };
  return Object.assign(build, { pattern });
}

/** For an address whose query is an object with the names and values of its parameters. */
export const toQueryValues = <Query extends { readonly [Name in keyof Query]: QueryValue }>(
  query?: Query,
) => query as Readonly<Record<string, QueryValue>> | undefined;
