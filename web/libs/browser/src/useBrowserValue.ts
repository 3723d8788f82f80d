import { useSyncExternalStore } from "react";

const never = () => () => {};

/** What only the person's browser knows, as text or a number; `null` while the page is as the build drew it. */
export function useBrowserValue<Value extends string | number | null>(
  read: () => Value,
): Value | null {
  return useSyncExternalStore(never, read, () => null);
}
