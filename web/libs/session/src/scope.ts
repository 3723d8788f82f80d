/**
 * The specification, §6: a user has a scope if the scope field is an array containing it or an object with
 * that key.
 */
export function hasScope(user: { scope?: unknown } | null | undefined, scope: string): boolean {
  const held = user?.scope;
  if (Array.isArray(held)) return held.includes(scope);
  return typeof held === "object" && held !== null && Object.hasOwn(held, scope);
}
