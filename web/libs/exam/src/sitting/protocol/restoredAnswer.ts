import type { StoredAnswer } from "./answerStore";
import { isOlder } from "./sittingState";
import type { SavedAnswer } from "./sittingTypes";

/**
 * What a page does with an answer in the device's storage. `remove`: the server has a newer one.
 * `ignore`: the server has the same one. `show`: the server has acknowledged it, and can't be
 * reached. `send`: it is shown and sent.
 */
export type Restoration = "remove" | "ignore" | "show" | "send";

/**
 * Compares an answer in the device's storage with the sitting's saved answer to the same question,
 * if there is one. `isCopy`: the sitting was not fetched from the server.
 */
export function restorationOf(
  row: StoredAnswer,
  saved: SavedAnswer | undefined,
  isCopy: boolean,
): Restoration {
  if (saved !== undefined && isOlder(row, saved)) return "remove";
  if (row.is_acknowledged !== true) return "send";
  if (saved !== undefined && !isOlder(saved, row)) return "ignore";
  return isCopy ? "show" : "send";
}
