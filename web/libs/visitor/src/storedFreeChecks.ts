import { sharedStorage } from "@konomana/browser";

/**
 * Shared by all tabs. A sign-up keeps it, so the result is still there afterwards. A sign-out
 * removes it.
 */
const KEY = "konomana.free-checks";

/**
 * The stored free checks of this browser. Another version may have written them, so check the
 * shape.
 */
export const freeChecks = {
  read: (): unknown => sharedStorage.readJson(KEY),
  write: (checks: object) => sharedStorage.writeJson(KEY, checks),
  clear: () => sharedStorage.remove(KEY),
};
