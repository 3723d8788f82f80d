import { createStore } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import { withFigures } from "../outage/withFigures";
import { AnswerStore } from "./answerStore";
import { clockMemory } from "./clockMemory";
import { isBusy, mayPass } from "./mayPass";
import { ServerClock } from "./ServerClock";
import { type SittingApi, sittingApi } from "./sittingApi";
import { SittingSession } from "./SittingSession";
import type { Sitting } from "./sittingTypes";
import { requestTabLock, type TabLock } from "./tabLock";
import { type Timing, timing as usualTiming } from "./timing";

/** The state of opening a paper on this page. */
export type Opening =
  | { kind: "opening" }
  /** Another tab of this browser has it. */
  | { kind: "other-tab" }
  /** Another device has it; `error` where taking it over failed. */
  | { kind: "other-device"; sitting: string; error: ApiError | null }
  | { kind: "handed-in" }
  | { kind: "failed"; error: ApiError }
  | { kind: "open"; session: SittingSession };

interface OpenSittingParts {
  learner: string;
  paper: number;
  device: string;
  api?: SittingApi;
  timing?: Timing;
  random?: () => number;
}

/** The session of the open paper, for the clock outside the screen. */
export const currentSession = createStore<SittingSession | null>(null);

/** A paper on this page. It is open in one tab and on one device at a time. */
export class OpenSitting {
  readonly state = createStore<Opening>({ kind: "opening" });
  readonly #parts: Required<OpenSittingParts>;
  readonly #store = new AnswerStore();
  readonly #clock: ServerClock;
  #lock: TabLock | null = null;
  /** The number of screens that show it. */
  #users = 0;
  /** Incremented to cancel operations in progress. */
  #turn = 0;
  /** Opens the paper again after a busy server did not. */
  #reopening: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: OpenSittingParts) {
    this.#parts = { api: sittingApi, timing: usualTiming, random: Math.random, ...parts };
    this.#clock = new ServerClock(this.#parts.timing.clocks, clockMemory);
  }

  /**
   * Opens the paper for a screen, once no other tab has a paper of this learner open. The returned
   * function ends the screen's use. The paper closes when the last screen stops using it.
   */
  open(): () => void {
    this.#users += 1;
    this.#lock ??= requestTabLock(`konomana.exam.${this.#parts.learner}`, (held) => {
      if (held) void this.retry();
      else this.#end({ kind: "other-tab" });
    });
    return () => {
      this.#users -= 1;
      // The next screen may open it in the same turn of the event loop.
      setTimeout(() => {
        if (this.#users === 0) this.#close();
      });
    };
  }

  /** Takes the paper from the tab that holds it. */
  openHere(): void {
    this.#lock?.steal();
  }

  /** Starts the paper, or resumes it. */
  async retry(): Promise<void> {
    const { api, paper, device } = this.#parts;
    await this.#begin(() => api.start(paper, device, this.#deviceTime()));
  }

  /** Takes the paper over from the other device. */
  async takeOver(): Promise<void> {
    const opening = this.state.get();
    if (opening.kind !== "other-device") return;
    const { api, device } = this.#parts;
    await this.#begin(() => api.takeOver(opening.sitting, device, this.#deviceTime()));
  }

  async #begin(call: () => Promise<Sitting>): Promise<void> {
    const { timing } = this.#parts;
    const before = this.state.get();
    const turn = this.#end({ kind: "opening" });
    const sentAt = timing.clocks.steady();
    let sitting: Sitting;
    let isCopy = false;
    try {
      sitting = await call();
      if (turn !== this.#turn) return;
      this.#clock.sync(Date.parse(sitting.now), sentAt);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const copy = mayPass(error) ? await this.#findCopy() : null;
      if (turn !== this.#turn) return;
      if (copy === null) return this.#noteFailure(error, before);
      sitting = copy;
      isCopy = true;
    }
    const session = new SittingSession(
      { ...this.#parts, store: this.#store, clock: this.#clock, isCopy },
      sitting,
    );
    // The stored answers are restored before the first question is shown.
    await session.restore(before.kind === "other-device");
    if (turn !== this.#turn) return;
    currentSession.set(session);
    this.state.set({ kind: "open", session });
    session.start();
    if (!isCopy) void this.#keepFigures(sitting);
  }

  #noteFailure(error: ApiError, before: Opening): void {
    const opening = openingAfter(error, before);
    this.state.set(opening);
    if (opening.kind !== "failed" || !isBusy(error)) return;
    const { timing, random } = this.#parts;
    const asked = Math.min((error.retryAfter ?? 0) * 1000, timing.longestRetry);
    // At random, so that those who were refused together do not come back together.
    const wait = Math.max(timing.reopen, asked) * (1 + random());
    this.#reopening = setTimeout(() => void this.retry(), wait);
  }

  /** Finds the stored paper of an earlier opening on this device. */
  #findCopy(): Promise<Sitting | null> {
    const { learner, paper } = this.#parts;
    return this.#store.findCopy(learner, paper).catch(() => null);
  }

  /** Stores the figures. If that fails, only the figures are missing after a reload without the network. */
  async #keepFigures(sitting: Sitting): Promise<void> {
    const { questions } = sitting.paper;
    if (questions.every(({ figures }) => figures.length === 0)) return;
    await withFigures(sitting)
      .then((copy) => this.#store.replaceCopy(this.#parts.learner, copy))
      .catch(() => {});
  }

  /** Unsent answers stay in the device's storage. */
  #close(): void {
    if (this.#lock === null) return;
    this.#end({ kind: "opening" });
    this.#lock.release();
    this.#lock = null;
    void this.#store.close();
  }

  #end(opening: Opening): number {
    clearTimeout(this.#reopening);
    const { state } = this;
    const open = state.get();
    if (open.kind === "open") {
      void open.session.flush();
      open.session.stop();
    }
    currentSession.set(null);
    state.set(opening);
    this.#turn += 1;
    return this.#turn;
  }

  #deviceTime(): string {
    return new Date(this.#parts.timing.clocks.wall()).toISOString();
  }
}

function openingAfter(error: ApiError, before: Opening): Opening {
  if (error.code === "HANDED_IN") return { kind: "handed-in" };
  if (error.code === "OTHER_DEVICE")
    return { kind: "other-device", sitting: String(error.details["sitting_id"]), error: null };
  return before.kind === "other-device" ? { ...before, error } : { kind: "failed", error };
}

/** Shared by the screens of this page, so that the session survives a change of the screen. */
let shared: { key: string; sitting: OpenSitting } | null = null;

/** The sitting of a paper, for the screens that show it. */
export function sittingOf(parts: OpenSittingParts): OpenSitting {
  const key = `${parts.learner}.${parts.paper}`;
  if (shared?.key !== key) shared = { key, sitting: new OpenSitting(parts) };
  return shared.sitting;
}

/** Drops the shared paper, like a newly opened page. */
export function forgetSitting(): void {
  shared = null;
}
