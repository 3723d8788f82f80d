import type { Store } from "@konomana/browser";
import type { StoredAnswer } from "./answerStore";
import type { DeviceAnswers } from "./DeviceAnswers";
import type { DevicePictures } from "./DevicePictures";
import type { ScreenReport, ScreenTime } from "./ScreenTime";
import type { ServerClock } from "./ServerClock";
import type { SittingApi } from "./sittingApi";
import type { SittingState } from "./sittingState";
import type { SaveReply, SaveRequest, Sitting } from "./sittingTypes";
import type { Timing } from "./timing";

/** The session around a sender. */
export interface SenderSession {
  /** Whether the sitting has not been fetched from the server yet. */
  isCopy: () => boolean;
  /** Fetches the sitting. Returns whether it is still running. */
  renew: () => Promise<boolean>;
  /** Milliseconds until the deadline. */
  left: () => number;
  /** Takes the server's state of the sitting. */
  takePhase: (state: Sitting["state"]) => void;
  /** Takes the error of a call. */
  fail: (error: unknown) => Promise<void>;
  /** Called when the server has every answer. */
  endWhenOver: () => Promise<void>;
}

interface AnswerSenderParts {
  api: SittingApi;
  clock: ServerClock;
  timing: Timing;
  device: string;
  /** `AnswerSender` sets its connection, its failure and the sitting's deadline. */
  state: Store<SittingState>;
  answers: DeviceAnswers;
  pictures: DevicePictures;
  screen: ScreenTime;
  session: SenderSession;
}

/** The maximum number of answers in one call. */
const BATCH = 100;

/**
 * Sends the unacknowledged answers of this device, and the times of its questions: soon after a
 * change, later after a failure, and at once when the page is left.
 */
export class AnswerSender {
  readonly #parts: AnswerSenderParts;
  #sending: Promise<void> | null = null;
  #timer: { at: number; id: ReturnType<typeof setTimeout> } | null = null;
  /** Ends the sending. `null` before the start. */
  #signal: AbortSignal | null = null;
  /** When the times of questions were last reported, by the steady clock. */
  #reportedAt: number;

  constructor(parts: AnswerSenderParts) {
    this.#parts = parts;
    this.#reportedAt = this.#steady();
  }

  get isSending(): boolean {
    return this.#sending !== null;
  }

  /** Sends every change, until `signal` is aborted. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      clearTimeout(this.#timer?.id);
      this.#timer = null;
    });
  }

  /** Resolves when no `flush` is running. */
  async settle(): Promise<void> {
    await this.#sending;
  }

  /** Sends the unacknowledged answers. Resolves when the server has them or can't be reached. */
  flush(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
      this.plan();
    });
    return this.#sending;
  }

  /** Sends everything, also a drawing that has just changed. Resolves as `flush` does. */
  async sendAll(): Promise<void> {
    const { answers, pictures } = this.#parts;
    await this.settle();
    await this.flush();
    if (!(await pictures.sendAtOnce(() => answers.unsent))) return;
    // The running one may have begun before the picture was sent.
    await this.settle();
    await this.flush();
  }

  /**
   * Sends the times without answers. Returns whether the server responded. `isLast`: no later
   * message of this page may follow.
   */
  report(isLast?: boolean): Promise<boolean> {
    return this.#save(this.#epoch, [], isLast);
  }

  /** Schedules the next send: soon after a change, later after a failure. */
  plan(): void {
    const { answers, session, state, timing } = this.#parts;
    const { isTakenOver, phase, isConnected, failure } = state.get();
    if (answers.unsent.length === 0 && !session.isCopy()) return;
    if (isTakenOver || phase === "sealed" || this.#signal === null) return;
    if (this.#signal.aborted || this.#sending !== null) return;
    const wait =
      isConnected && failure === null
        ? timing.save
        : Math.max(timing.retry, Math.min((failure?.retryAfter ?? 0) * 1000, timing.longestRetry));
    const at = this.#steady() + wait;
    if (this.#timer !== null && this.#timer.at <= at) return;
    clearTimeout(this.#timer?.id);
    const id = setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, wait);
    this.#timer = { at, id };
  }

  /**
   * The page may not come back: sends the unsent answers and the times at once, in parallel to a
   * running call. A picture may need longer than the page lives: then it stays on the device.
   */
  leave(): void {
    const { api, answers, pictures, screen, state } = this.#parts;
    const { isTakenOver, phase, sitting } = state.get();
    if (isTakenOver || phase === "sealed") return;
    void this.#sendPictures(true);
    const rows = answers.unsent.filter(
      (row) => row.epoch === this.#epoch && !pictures.isMissing(row),
    );
    if (rows.length === 0 && screen.isReported) return;
    const sentAt = this.#steady();
    const batch = rows.slice(0, BATCH);
    const request = this.#request(this.#epoch, batch, true);
    api.save(sitting.id, request, true).then(
      (reply) => {
        this.#noteReported(request, sentAt);
        return this.#takeReply(reply, batch, sentAt);
      },
      // Answers that fail here stay in the storage for the next page.
      () => {},
    );
  }

  get #epoch(): number {
    return this.#parts.state.get().sitting.epoch;
  }

  #steady(): number {
    return this.#parts.timing.clocks.steady();
  }

  async #send(): Promise<void> {
    const { answers, pictures, session, state } = this.#parts;
    const { isTakenOver, phase } = state.get();
    if (phase === "sealed" || isTakenOver) return;
    if (session.isCopy() && !(await session.renew())) return;
    void this.#sendPictures(session.left() <= 0);
    // Changes made meanwhile go with the next send.
    const rows = answers.unsent.filter((row) => !pictures.isMissing(row));
    for (const epoch of new Set(rows.map((row) => row.epoch))) {
      const own = rows.filter((row) => row.epoch === epoch);
      for (let from = 0; from < own.length; from += BATCH)
        if (!(await this.#save(epoch, own.slice(from, from + BATCH)))) return;
    }
    await session.endWhenOver();
  }

  /** Sends the pictures, then their answers. An upload that takes long delays no other answer. */
  async #sendPictures(isUrgent: boolean): Promise<void> {
    const { answers, pictures } = this.#parts;
    const isSent = await pictures.send(() => answers.unsent, isUrgent);
    if (isSent && this.#signal?.aborted !== true) await this.flush();
  }

  /** Sends one batch. Returns whether the server responded. */
  async #save(
    epoch: number,
    rows: readonly StoredAnswer[],
    isLast = this.#parts.session.left() <= 0,
  ): Promise<boolean> {
    const { api, session, state } = this.#parts;
    const sentAt = this.#steady();
    const { id } = state.get().sitting;
    const request = this.#request(epoch, rows, isLast);
    try {
      const reply = await api.save(id, request);
      this.#noteReported(request, sentAt);
      await this.#takeReply(reply, rows, sentAt);
      return true;
    } catch (error) {
      await session.fail(error);
      return false;
    }
  }

  #request(epoch: number, rows: readonly StoredAnswer[], isLast: boolean) {
    const { answers, device, screen, timing } = this.#parts;
    const { away_seconds, question_times } = screen.report();
    const isDue = isLast || this.#steady() - this.#reportedAt >= timing.report;
    return {
      device_id: device,
      epoch,
      device_time: new Date(timing.clocks.wall()).toISOString(),
      pending: answers.unsent.length - rows.length,
      away_seconds,
      question_times: isDue ? question_times : [],
      answers: rows.map(({ question_id, sequence, answer, is_flagged, answered_at }) => ({
        question_id,
        sequence,
        answer,
        is_flagged,
        answered_at,
      })),
    } satisfies SaveRequest;
  }

  #noteReported(report: ScreenReport, sentAt: number): void {
    if (report.question_times.length > 0) this.#reportedAt = sentAt;
    this.#parts.screen.noteReported(report);
  }

  async #takeReply(reply: SaveReply, rows: readonly StoredAnswer[], sentAt: number): Promise<void> {
    const { answers, clock, session, state } = this.#parts;
    clock.sync(Date.parse(reply.now), sentAt);
    const before = state.get();
    const sitting = { ...before.sitting, deadline_at: reply.deadline_at };
    state.set({ ...before, sitting, isConnected: true, failure: null });
    await answers.takeReply(reply, rows);
    if (reply.refused.some(({ code }) => code !== "INVALID")) await this.#findAnswers();
    session.takePhase(reply.state);
  }

  /** Shows the server's answers where it refused those of this device. */
  async #findAnswers(): Promise<void> {
    const { api, answers, device, state } = this.#parts;
    const { id } = state.get().sitting;
    const found = await api.find(id, device).catch(() => null);
    if (found !== null) answers.takeRefused(found.answers);
  }
}
