import { hasScope, type User } from "@konomana/session";

/** Whether an account has a cart: learners buy for themselves, guardians for their children. */
export function canBuy(user: User): boolean {
  return hasScope(user, "learner") || hasScope(user, "guardian");
}
