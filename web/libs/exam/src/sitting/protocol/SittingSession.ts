import { createStore, type Store } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import type { Given } from "@konomana/question";
import type { AnswerStore, StoredAnswer } from "./answerStore";
import { mayPass } from "./mayPass";
import type { ServerClock } from "./ServerClock";
import type { SittingApi } from "./sittingApi";
import { blank, type Entry, isOlder, phaseOf, type Place, type SittingState } from "./sittingState";
import type { SaveReply, SavedAnswer, Sitting, Transcript } from "./sittingTypes";
import type { Timing } from "./timing";

interface SessionParts {
  api: SittingApi;
  store: AnswerStore;
  clock: ServerClock;
  timing: Timing;
  learner: string;
  device: string;
  /** A random number from 0 to 1. */
  random: () => number;
  /** The sitting comes from this device, because the server could not be reached. */
  isCopy: boolean;
}

/** The maximum number of answers in one call. */
const BATCH = 100;

/**
 * A sitting on this device. Each change is written to the device's storage at once and sent to the
 * server soon. It stays in the storage until the server acknowledges its sequence number. Only the
 * server ends a sitting.
 */
export class SittingSession {
  readonly state: Store<SittingState>;
  readonly clock: ServerClock;
  readonly #parts: SessionParts;
  /** By question. */
  readonly #unsent = new Map<number, StoredAnswer>();
  readonly #sequences = new Map<number, number>();
  readonly #toStore = new Map<number, StoredAnswer>();
  #storing: Promise<void> | null = null;
  #sending: Promise<void> | null = null;
  #timer: { at: number; id: ReturnType<typeof setTimeout> } | null = null;
  #askTimer: ReturnType<typeof setTimeout> | undefined;
  /** Changes made while the server is asked whether the time is over. */
  readonly #held: (() => void)[] = [];
  /** Whether the sitting has not been fetched from the server yet. */
  #isCopy: boolean;
  #over: AbortController | null = null;
  #awaySince: number | null = null;

  constructor(parts: SessionParts, sitting: Sitting) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.#isCopy = parts.isCopy;
    this.state = createStore<SittingState>({
      sitting,
      entries: new Map(),
      phase: phaseOf(sitting),
      unsent: 0,
      isConnected: !parts.isCopy,
      isTakenOver: !sitting.is_active_device,
      storage: "kept",
      failure: null,
      transcript: sitting.transcript,
    });
    this.#takeAnswers(sitting.answers);
  }

  get questions() {
    return this.state.get().sitting.paper.questions;
  }

  /** Seconds out of focus since the start. */
  get awaySeconds(): number {
    const { away_seconds } = this.state.get().sitting;
    const since = this.#awaySince;
    return away_seconds + (since === null ? 0 : (this.#steady() - since) / 1000);
  }

  /** Milliseconds until the deadline, by the server's clock. */
  get left(): number {
    return Date.parse(this.state.get().sitting.deadline_at) - this.clock.now().time;
  }

  /**
   * Loads the stored answers of this device. `isNew`: this device has just taken over and has none.
   */
  async restore(isNew: boolean): Promise<void> {
    const { store, learner } = this.#parts;
    const { sitting } = this.state.get();
    const { answers } = sitting;
    store.onClosed = () => void this.#storeAgain();
    try {
      const { rows, isKnown } = await store.open(learner, sitting);
      if (!isKnown && !isNew && answers.length > 0) this.#set({ storage: "cleared" });
      for (const row of rows) this.#restoreRow(row);
    } catch {
      this.#set({ storage: "refused" });
    }
  }

  /** Sends the restored answers and every later change, until `stop`. */
  start(): void {
    this.#over = new AbortController();
    const { signal } = this.#over;
    const ticking = setInterval(() => this.#tick(), this.#parts.timing.tick);
    signal.addEventListener("abort", () => clearInterval(ticking));
    this.#listen(signal);
    void this.flush();
  }

  stop(): void {
    this.#over?.abort();
    clearTimeout(this.#timer?.id);
    clearTimeout(this.#askTimer);
    this.#timer = null;
    this.#askTimer = undefined;
    this.#parts.store.onClosed = () => {};
  }

  /** Answers a question. `null` removes the answer. */
  answer(question: number, answer: Given | null): void {
    this.#change(question, { answer });
  }

  flag(question: number, isFlagged: boolean): void {
    this.#change(question, { isFlagged });
  }

  /** Sends the unacknowledged answers. Resolves when the server has them or can't be reached. */
  flush(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
      this.#plan();
    });
    return this.#sending;
  }

  /**
   * Fetches the server's clock and the state of the sitting, and sends the unacknowledged answers.
   */
  async synchronize(): Promise<void> {
    await this.#sending;
    if (this.#unsent.size > 0 || this.#isCopy) await this.flush();
    else if (await this.#save(this.#epoch, [])) await this.#endWhenOver();
  }

  /** Makes this device the active one. Failures are `ApiError`s. */
  async takeOver(): Promise<void> {
    const { api, device } = this.#parts;
    const sentAt = this.#steady();
    const { id } = this.state.get().sitting;
    const sitting = await api.takeOver(id, device, this.#deviceTime());
    this.#takeSitting(sitting, sentAt);
    await this.flush();
  }

  /**
   * Hands the sitting in. Unacknowledged answers are sent first; if that fails, nothing is handed
   * in. Failures are `ApiError`s.
   */
  async handIn(): Promise<void> {
    const { api, device } = this.#parts;
    await this.#sending;
    await this.flush();
    const { sitting, phase, failure, isConnected } = this.state.get();
    if (phase === "sealed") return;
    if (this.#unsent.size > 0)
      throw (
        failure ??
        new ApiError({ status: 0, code: isConnected ? "UNKNOWN" : "NETWORK", traceId: "" })
      );
    try {
      this.#seal(await api.handIn(sitting.id, device, sitting.epoch));
    } catch (error) {
      await this.#fail(error);
      throw error;
    }
  }

  get #epoch(): number {
    return this.state.get().sitting.epoch;
  }

  #steady(): number {
    return this.#parts.timing.clocks.steady();
  }

  #deviceTime(): string {
    return new Date(this.#parts.timing.clocks.wall()).toISOString();
  }

  #set(parts: Partial<SittingState>): void {
    this.state.set({ ...this.state.get(), ...parts, unsent: this.#unsent.size });
  }

  #setEntry(question: number, parts: Partial<Entry>): void {
    const { entries } = this.state.get();
    const entry = { ...(entries.get(question) ?? blank), ...parts };
    this.#set({ entries: new Map(entries).set(question, entry) });
  }

  #change(question: number, parts: { answer?: Given | null; isFlagged?: boolean }): void {
    const { isTakenOver, entries, sitting } = this.state.get();
    if (this.left <= 0) this.#ask();
    const { phase } = this.state.get();
    // Held back: a late change would replace an earlier one that is not acknowledged yet.
    if (phase === "asking") this.#held.push(() => this.#change(question, parts));
    if (phase !== "running" || isTakenOver) return;
    const { answer, isFlagged } = { ...(entries.get(question) ?? blank), ...parts };
    const sequence = (this.#sequences.get(question) ?? 0) + 1;
    this.#sequences.set(question, sequence);
    const row: StoredAnswer = {
      learner: this.#parts.learner,
      sitting: sitting.id,
      epoch: sitting.epoch,
      question_id: question,
      sequence,
      answer,
      is_flagged: isFlagged,
      answered_at: this.#deviceTime(),
    };
    this.#unsent.set(question, row);
    this.#setEntry(question, { answer, isFlagged, place: "writing" });
    this.#toStore.set(question, row);
    void this.#storeAll();
    this.#plan();
  }

  /**
   * Writes the changes to the device, one write after the other. Changes made meanwhile go with the
   * next write.
   */
  #storeAll(): Promise<void> {
    this.#storing ??= this.#storeEach().finally(() => (this.#storing = null));
    return this.#storing;
  }

  async #storeEach(): Promise<void> {
    while (this.#toStore.size > 0) {
      const rows = [...this.#toStore.values()];
      this.#toStore.clear();
      const isStored = await this.#parts.store.put(rows).then(
        () => true,
        () => false,
      );
      const { storage } = this.state.get();
      if (!isStored) this.#set({ storage: "refused" });
      else if (storage === "refused") this.#set({ storage: "kept" });
      for (const row of rows) {
        if (this.#isUnsent(row))
          this.#setEntry(row.question_id, { place: isStored ? "device" : "page" });
        // The server responded while it was being written.
        else if (isStored && !this.#unsent.has(row.question_id)) await this.#noteEnd(row);
      }
    }
  }

  /** The device's storage was cleared: writes the unsent answers of this page again. */
  async #storeAgain(): Promise<void> {
    const { learner, store } = this.#parts;
    this.#set({ storage: "cleared" });
    await store.open(learner, this.state.get().sitting).catch(() => {});
    for (const row of this.#unsent.values()) this.#toStore.set(row.question_id, row);
    await this.#storeAll();
  }

  #isUnsent({ question_id, epoch, sequence }: StoredAnswer): boolean {
    const row = this.#unsent.get(question_id);
    return row?.sequence === sequence && row.epoch === epoch;
  }

  /** Stores the server's acknowledgement of an answer. */
  async #noteEnd(row: StoredAnswer): Promise<void> {
    const isSaved = this.state.get().entries.get(row.question_id)?.place === "server";
    await (isSaved ? this.#acknowledge([row]) : this.#forget([row]));
  }

  async #forget(rows: readonly StoredAnswer[]): Promise<void> {
    // A row that stays is sent once more. That is harmless.
    await this.#parts.store.remove(rows).catch(() => {});
  }

  async #acknowledge(rows: readonly StoredAnswer[]): Promise<void> {
    await this.#parts.store.acknowledge(rows).catch(() => {});
  }

  /** Queues a stored answer for sending again, unless the server has it or a newer one. */
  #restoreRow(row: StoredAnswer): void {
    const known = this.#sequences.get(row.question_id) ?? 0;
    const saved = this.state
      .get()
      .sitting.answers.find(({ question_id }) => question_id === row.question_id);
    const isAcknowledged = row.is_acknowledged === true;
    if (saved !== undefined && isOlder(row, saved)) {
      void this.#forget([row]);
      return;
    }
    if (saved !== undefined && isAcknowledged && !isOlder(saved, row)) return;
    this.#sequences.set(row.question_id, Math.max(known, row.sequence));
    const hasServer = isAcknowledged && this.#isCopy;
    if (!hasServer) this.#unsent.set(row.question_id, row);
    this.#setEntry(row.question_id, {
      answer: row.answer,
      isFlagged: row.is_flagged,
      place: hasServer ? "server" : "device",
    });
  }

  /** Schedules the next send: soon after a change, later after a failure. */
  #plan(): void {
    const { isTakenOver, phase, isConnected, failure } = this.state.get();
    if (this.#unsent.size === 0 && !this.#isCopy) return;
    if (isTakenOver || phase === "sealed" || this.#over === null) return;
    if (this.#over.signal.aborted || this.#sending !== null) return;
    const { timing } = this.#parts;
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

  async #send(): Promise<void> {
    const { isTakenOver, phase } = this.state.get();
    if (phase === "sealed" || isTakenOver) return;
    if (this.#isCopy && !(await this.#renew())) return;
    // Changes made meanwhile go with the next send.
    const rows = [...this.#unsent.values()];
    for (const epoch of new Set(rows.map((row) => row.epoch))) {
      const own = rows.filter((row) => row.epoch === epoch);
      for (let from = 0; from < own.length; from += BATCH)
        if (!(await this.#save(epoch, own.slice(from, from + BATCH)))) return;
    }
    await this.#endWhenOver();
  }

  /** Replaces a sitting that was opened from this device by the server's. Returns whether it is still running. */
  async #renew(): Promise<boolean> {
    const { api, device } = this.#parts;
    const sentAt = this.#steady();
    try {
      const sitting = await api.find(this.state.get().sitting.id, device);
      this.#isCopy = false;
      this.#takeSitting(sitting, sentAt);
      if (sitting.transcript !== null) this.#seal(sitting.transcript);
    } catch (error) {
      await this.#fail(error);
      return false;
    }
    const { phase, isTakenOver } = this.state.get();
    return phase !== "sealed" && !isTakenOver;
  }

  /** Sends one batch. Returns whether the server responded. */
  async #save(epoch: number, rows: readonly StoredAnswer[]): Promise<boolean> {
    const sentAt = this.#steady();
    const { id } = this.state.get().sitting;
    try {
      const reply = await this.#parts.api.save(id, this.#request(epoch, rows));
      await this.#takeReply(reply, rows, sentAt);
      return true;
    } catch (error) {
      await this.#fail(error);
      return false;
    }
  }

  #request(epoch: number, rows: readonly StoredAnswer[]) {
    return {
      device_id: this.#parts.device,
      epoch,
      device_time: this.#deviceTime(),
      pending: this.#unsent.size - rows.length,
      away_seconds: Math.floor(this.awaySeconds),
      answers: rows.map(({ question_id, sequence, answer, is_flagged, answered_at }) => ({
        question_id,
        sequence,
        answer,
        is_flagged,
        answered_at,
      })),
    };
  }

  async #takeReply(reply: SaveReply, rows: readonly StoredAnswer[], sentAt: number): Promise<void> {
    this.clock.sync(Date.parse(reply.now), sentAt);
    const sitting = { ...this.state.get().sitting, deadline_at: reply.deadline_at };
    this.#set({ sitting, isConnected: true, failure: null });
    const sent = new Map(rows.map((row) => [row.question_id, row]));
    const saved: StoredAnswer[] = [];
    const refused: StoredAnswer[] = [];
    const end = (question: number, sequence: number, place: Place) => {
      const row = sent.get(question);
      if (row?.sequence !== sequence) return;
      (place === "server" ? saved : refused).push(row);
      // A newer answer is queued.
      if (!this.#isUnsent(row)) return;
      this.#unsent.delete(question);
      this.#setEntry(question, { place });
    };
    for (const { question_id, sequence } of reply.acks) end(question_id, sequence, "server");
    const refusals = { OLDER: "replaced", LATE: "late", INVALID: "invalid" } as const;
    for (const { question_id, sequence, code } of reply.refused)
      end(question_id, sequence, refusals[code]);
    await this.#acknowledge(saved);
    await this.#forget(refused);
    if (reply.refused.some(({ code }) => code !== "INVALID")) await this.#findAnswers();
    this.#takePhase(reply.state);
  }

  /** Shows the server's answers where it refused those of this device. */
  async #findAnswers(): Promise<void> {
    const { api, device } = this.#parts;
    const { id } = this.state.get().sitting;
    const found = await api.find(id, device).catch(() => null);
    if (found === null) return;
    const refused = new Set<Place | null>(["replaced", "late"]);
    for (const saved of found.answers)
      if (refused.has(this.state.get().entries.get(saved.question_id)?.place ?? null))
        this.#takeAnswer(saved);
  }

  async #fail(error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) throw error;
    const { code, status } = error;
    if (code === "OTHER_DEVICE") this.#set({ isTakenOver: true, isConnected: true });
    else if (code === "HANDED_IN") await this.#findTranscript();
    else if (status === 0) this.#set({ isConnected: false });
    // An overloaded, closed or failing server, and the end of the login, count as a lost connection: the save is tried
    // again.
    else if (mayPass(error)) this.#set({ isConnected: false, failure: error });
    else this.#set({ failure: error });
  }

  async #findTranscript(): Promise<void> {
    const { api, device } = this.#parts;
    const sitting = await api.find(this.state.get().sitting.id, device).catch(() => null);
    if (sitting?.transcript) this.#seal(sitting.transcript);
  }

  #seal(transcript: Transcript): void {
    const { learner, store } = this.#parts;
    this.#set({ transcript, phase: "sealed", isConnected: true });
    this.stop();
    void store.clear(learner, this.state.get().sitting.id).catch(() => {});
  }

  #takeSitting(sitting: Sitting, sentAt: number): void {
    this.clock.sync(Date.parse(sitting.now), sentAt);
    this.#set({
      sitting,
      isTakenOver: !sitting.is_active_device,
      isConnected: true,
      failure: null,
      transcript: sitting.transcript,
    });
    this.#takeAnswers(sitting.answers);
    this.#takePhase(sitting.state);
  }

  /** Applies the server's answers, except for questions with an unsent answer. */
  #takeAnswers(answers: readonly SavedAnswer[]): void {
    for (const saved of answers) {
      const row = this.#unsent.get(saved.question_id);
      if (row === undefined) this.#takeAnswer(saved);
      else this.#noteSequence(saved);
    }
  }

  #takeAnswer(saved: SavedAnswer): void {
    const { question_id, answer, is_flagged } = saved;
    this.#noteSequence(saved);
    const { place, revision } = this.state.get().entries.get(question_id) ?? blank;
    this.#setEntry(question_id, {
      answer,
      isFlagged: is_flagged,
      place: place === "late" || place === "replaced" ? place : "server",
      revision: revision + 1,
    });
  }

  #noteSequence({ question_id, sequence }: SavedAnswer): void {
    this.#sequences.set(question_id, Math.max(sequence, this.#sequences.get(question_id) ?? 0));
  }

  #takePhase(state: Sitting["state"]): void {
    if (state === "running") {
      clearTimeout(this.#askTimer);
      this.#askTimer = undefined;
      if (this.state.get().phase === "asking") this.#set({ phase: "running" });
      for (const change of this.#held.splice(0)) change();
    } else if (this.state.get().phase !== "sealed") {
      this.#set({ phase: "over" });
      this.#dropHeld();
    }
  }

  /** Discards the held changes: they came too late and must not be shown as answers. */
  #dropHeld(): void {
    if (this.#held.splice(0).length === 0) return;
    for (const [question, { revision }] of this.state.get().entries)
      this.#setEntry(question, { revision: revision + 1 });
  }

  #tick(): void {
    const { phase } = this.state.get();
    if (this.clock.hasJumped && this.#sending === null) void this.synchronize();
    if (phase === "running" && this.left <= 0) this.#ask();
  }

  /**
   * Asks the server whether the time is over. It asks at once if there are unsent answers. Other
   * devices wait for a random delay, so they do not ask at the same moment.
   */
  #ask(): void {
    const { phase } = this.state.get();
    if (phase !== "running" || this.#askTimer !== undefined) return;
    this.#set({ phase: "asking" });
    const { timing, random } = this.#parts;
    const again = async () => {
      await this.synchronize();
      const now = this.state.get().phase;
      this.#askTimer =
        (now === "asking" || now === "over") && !this.#over?.signal.aborted
          ? setTimeout(() => void again(), timing.retry)
          : undefined;
    };
    const wait = this.#unsent.size > 0 ? 0 : random() * timing.askWithin;
    this.#askTimer = setTimeout(() => void again(), wait);
  }

  /** Hands the sitting in after the deadline, once the server has every earlier answer. */
  async #endWhenOver(): Promise<void> {
    const { phase, sitting, isTakenOver } = this.state.get();
    if (phase !== "over" || this.#unsent.size > 0 || isTakenOver) return;
    try {
      const { api, device } = this.#parts;
      this.#seal(await api.handIn(sitting.id, device, sitting.epoch));
    } catch (error) {
      await this.#fail(error);
    }
  }

  #listen(signal: AbortSignal): void {
    const on = (target: EventTarget, name: string, listener: () => void) =>
      target.addEventListener(name, listener, { signal });
    on(globalThis, "online", () => void this.synchronize());
    on(globalThis, "offline", () => this.#set({ isConnected: false }));
    on(globalThis, "pagehide", () => this.#leave());
    on(globalThis, "blur", () => (this.#awaySince ??= this.#steady()));
    on(globalThis, "focus", () => this.#comeBack());
    on(document, "visibilitychange", () => {
      if (document.hidden) {
        this.#awaySince ??= this.#steady();
        this.#leave();
      } else {
        this.#comeBack();
        void this.synchronize();
      }
    });
  }

  #comeBack(): void {
    const { sitting } = this.state.get();
    const away_seconds = this.awaySeconds;
    this.#awaySince = null;
    this.#set({ sitting: { ...sitting, away_seconds } });
  }

  /**
   * The page may not come back: sends the unsent answers at once, in parallel to a running call.
   */
  #leave(): void {
    const { isTakenOver, phase, sitting } = this.state.get();
    if (isTakenOver || phase === "sealed") return;
    const rows = [...this.#unsent.values()].filter(({ epoch }) => epoch === this.#epoch);
    if (rows.length === 0) return;
    const sentAt = this.#steady();
    const batch = rows.slice(0, BATCH);
    this.#parts.api.save(sitting.id, this.#request(this.#epoch, batch), true).then(
      (reply) => this.#takeReply(reply, batch, sentAt),
      // Answers that fail here stay in the storage for the next page.
      () => {},
    );
  }
}
