import { hasScope, type User } from "@konomana/session";

const scopes = ["staff:content", "staff:support", "staff:commerce"];

/** Whether the user has a staff permission. */
export function isStaff(user: User | null): user is User {
  return scopes.some((scope) => hasScope(user, scope));
}
