import { describe, expect, test } from "vitest";
import type { StoredAnswer } from "./answerStore";
import { restorationOf } from "./restoredAnswer";
import type { SavedAnswer } from "./sittingTypes";

const stored = (epoch: number, sequence: number, is_acknowledged?: boolean): StoredAnswer => ({
  learner: "l",
  sitting: "s",
  epoch,
  question_id: 101,
  sequence,
  answer: { choices: [2] },
  is_flagged: false,
  answered_at: "2026-11-21T00:10:00Z",
  ...(is_acknowledged === undefined ? {} : { is_acknowledged }),
});

const saved = (epoch: number, sequence: number): SavedAnswer => ({
  question_id: 101,
  epoch,
  sequence,
  answer: { choices: [3] },
  is_flagged: false,
  saved_at: "2026-11-21T00:10:01Z",
  digest: "d0".repeat(32),
});

describe("an answer in the device's storage", () => {
  test.each([
    ["which the server has not, is sent", stored(1, 1), undefined, "send"],
    ["which is newer than the server's, is sent", stored(1, 3), saved(1, 2), "send"],
    ["of a later epoch, is sent", stored(2, 1), saved(1, 9), "send"],
    ["whose acknowledgement was lost, is sent again", stored(1, 2), saved(1, 2), "send"],
    ["which is older than the server's, is removed", stored(1, 1), saved(1, 2), "remove"],
    ["of an earlier epoch, is removed", stored(1, 9), saved(2, 1), "remove"],
    ["which the server has, is ignored", stored(1, 2, true), saved(1, 2), "ignore"],
    ["which the server has lost, is sent", stored(1, 2, true), undefined, "send"],
    ["which is newer than what the server kept, is sent", stored(1, 3, true), saved(1, 2), "send"],
  ] as const)("%s", (_, row, on, expected) => {
    expect(restorationOf(row, on, false)).toBe(expected);
  });

  test("that was acknowledged is only shown while the server can't be reached", () => {
    expect(restorationOf(stored(1, 3, true), saved(1, 2), true)).toBe("show");
    expect(restorationOf(stored(1, 2, true), undefined, true)).toBe("show");
    expect(restorationOf(stored(1, 2, true), saved(1, 2), true)).toBe("ignore");
    expect(restorationOf(stored(1, 2), undefined, true)).toBe("send");
  });
});
