import type { ApiError } from "@konomana/http";
import type { ExamAnswer, SavedAnswer, Sitting, Transcript } from "./sittingTypes";

/**
 * Where an answer is. `writing`: being written to the device's storage. `device`: stored there.
 * `page`: refused by that storage, so it is only on this page. `server`: saved. `late`, `replaced`
 * and `invalid`: not accepted by the server, because it was too late, older than the saved one, or
 * invalid.
 */
export type Place = "writing" | "device" | "page" | "server" | "late" | "replaced" | "invalid";

/** The state of the answer to one question. */
export interface Entry {
  answer: ExamAnswer | null;
  isFlagged: boolean;
  /** `null` if nothing was answered. */
  place: Place | null;
  /** Incremented when something other than this page's fields changes the answer. */
  revision: number;
}

/**
 * `running`. `asking`: the time seems to be over, and the server is asked. `over`: the server
 * confirms it, and still accepts earlier answers. `sealed`: handed in.
 */
export type Phase = "running" | "asking" | "over" | "sealed";

export interface SittingState {
  /** As the server last sent it. The current answers are in `entries`. */
  sitting: Sitting;
  entries: ReadonlyMap<number, Entry>;
  phase: Phase;
  /** The number of answers that the server has not acknowledged. */
  unsent: number;
  /** Whether the last call reached the server. */
  isConnected: boolean;
  /** Whether another device has taken over. */
  isTakenOver: boolean;
  /** `cleared`: this device had stored answers of the sitting, and they are gone. */
  storage: "kept" | "refused" | "cleared";
  /**
   * Why the server does not accept answers, if the reason is neither the time nor another device.
   */
  failure: ApiError | null;
  transcript: Transcript | null;
}

/** The state of a question without an answer. */
export const blank: Entry = { answer: null, isFlagged: false, place: null, revision: 0 };

/** The phase of a sitting, from its state on the server. */
export function phaseOf({ state }: Sitting): Phase {
  if (state === "running") return "running";
  return state === "grace" ? "over" : "sealed";
}

type Version = Pick<SavedAnswer, "epoch" | "sequence">;

/** Whether an answer has a lower version than the saved one. */
export function isOlder(row: Version, saved: Version): boolean {
  return row.epoch === saved.epoch ? row.sequence < saved.sequence : row.epoch < saved.epoch;
}
