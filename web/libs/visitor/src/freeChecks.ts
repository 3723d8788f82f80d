import { sharedStorage } from "@konomana/browser";

/** For all tabs. A sign-up leaves it, so that the result is still there after it; a sign-out removes it. */
const KEY = "konomana.free-checks";

/** What this browser keeps of free checks. Another version may have written it: check its shape. */
export const freeChecks = {
  read: (): unknown => sharedStorage.readJson(KEY),
  write: (checks: object) => sharedStorage.writeJson(KEY, checks),
  clear: () => sharedStorage.remove(KEY),
};
