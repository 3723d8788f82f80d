import { hasScope, type User } from "@konomana/session";

const scopes = ["staff:content", "staff:support", "staff:commerce"];

/** Whether a person works for the school: their account holds one of the staff's permissions. */
export function isStaff(user: User | null): user is User {
  return scopes.some((scope) => hasScope(user, scope));
}
