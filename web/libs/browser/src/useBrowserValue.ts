import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * A value that only the browser knows, as text or a number. It is `null` during the prerender and
 * hydration.
 */
export function useBrowserValue<Value extends string | number | null>(
  read: () => Value,
): Value | null {
  return useSyncExternalStore(never, read, () => null);
}
