/** A route's parameters by name. */
export type RouteParams = Readonly<Record<string, string | undefined>>;

/** An identifier of the API: a whole number from 1, without leading zeros. */
export function hasIdentifier({ id }: RouteParams): boolean {
  return id !== undefined && /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id));
}

/** An account's identifier, a UUID. */
export function hasAccount({ account }: RouteParams): boolean {
  return account !== undefined && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(account);
}

/** An order's identifier, a UUID. */
export function hasOrder({ order }: RouteParams): boolean {
  return hasAccount({ account: order });
}

/** A refund of an order. */
export function hasRefund({ order, refund }: RouteParams): boolean {
  return hasOrder({ order }) && hasAccount({ account: refund });
}

/** A subscription's identifier, a UUID. */
export function hasSubscription({ subscription }: RouteParams): boolean {
  return hasAccount({ account: subscription });
}

/** A question to a teacher, a UUID. */
export function hasThread({ thread }: RouteParams): boolean {
  return hasAccount({ account: thread });
}

/** An interview, a UUID. */
export function hasInterview({ interview }: RouteParams): boolean {
  return hasAccount({ account: interview });
}

/** A question of a lesson. */
export function hasQuestion({ id, questionId }: RouteParams): boolean {
  return hasIdentifier({ id }) && hasIdentifier({ id: questionId });
}

/** A result of a lesson: the graded one, or a round of practice. */
export function hasResult({ id, resultId }: RouteParams): boolean {
  return hasIdentifier({ id }) && hasIdentifier({ id: resultId });
}

/** A rank among an exam's desired schools, from 1 to 5. */
export function hasDesiredRank({ id, desired_rank: rank = "" }: RouteParams): boolean {
  return hasIdentifier({ id }) && /^[1-5]$/.test(rank);
}
