import { createStore, type Store } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import type { Given } from "@konomana/question";
import type { AnswerStore, StoredAnswer } from "./answerStore";
import type { ServerClock } from "./ServerClock";
import type { SittingApi } from "./sittingApi";
import type { SaveReply, SavedAnswer, Sitting, Transcript } from "./sittingTypes";
import type { Timing } from "./timing";

/**
 * Where an answer is: on its way to the device's storage, stored there, refused by that storage and only on this page,
 * with the server, or not taken by the server because it came too late or a newer one is there.
 */
export type Place = "writing" | "device" | "page" | "server" | "late" | "replaced" | "invalid";

/** What is known of the answer to one question. */
export interface Entry {
  answer: Given | null;
  isFlagged: boolean;
  /** `null` while nothing was answered. */
  place: Place | null;
  /** Higher whenever something else than this page's fields changed the answer. */
  revision: number;
}

/**
 * `running`; `asking`: the time seems to be over, and the server is asked; `over`: the server says so, and takes what was
 * answered before; `sealed`: handed in.
 */
export type Phase = "running" | "asking" | "over" | "sealed";

export interface SittingState {
  /** As the server last told it. Answers are in `entries`. */
  sitting: Sitting;
  entries: ReadonlyMap<number, Entry>;
  phase: Phase;
  /** Answers that the server has not acknowledged. */
  unsent: number;
  /** Whether the last call reached the server. */
  isConnected: boolean;
  /** Another device has taken over. */
  isTakenOver: boolean;
  /** `cleared`: this device had the sitting's answers, and they are gone. */
  storage: "kept" | "refused" | "cleared";
  /** Why the server does not take answers, where neither time nor another device is the reason. */
  failure: ApiError | null;
  transcript: Transcript | null;
}

interface SessionParts {
  api: SittingApi;
  store: AnswerStore;
  clock: ServerClock;
  timing: Timing;
  learner: string;
  device: string;
  /** From 0 to 1. */
  random: () => number;
}

/** The most answers in one call. */
const BATCH = 100;

/**
 * A sitting on this device. Each change goes to the device's storage at once and to the server soon; it stays in the
 * storage until the server acknowledges its very sequence. The server alone ends a sitting.
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
  /** What was changed while the server was asked whether there is time. */
  readonly #held: (() => void)[] = [];
  #over: AbortController | null = null;
  #awaySince: number | null = null;

  constructor(parts: SessionParts, sitting: Sitting) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.state = createStore<SittingState>({
      sitting,
      entries: new Map(),
      phase: phaseOf(sitting),
      unsent: 0,
      isConnected: true,
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

  /** Takes up what this device has stored; `isNew` where this device has just taken over and has nothing. */
  async restore(isNew: boolean): Promise<void> {
    const { store, learner } = this.#parts;
    const { id, answers } = this.state.get().sitting;
    store.onClosed = () => void this.#storeAgain();
    try {
      const { rows, isKnown } = await store.open(learner, id);
      if (!isKnown && !isNew && answers.length > 0) this.#set({ storage: "cleared" });
      for (const row of rows) this.#restoreRow(row);
    } catch {
      this.#set({ storage: "refused" });
    }
  }

  /** Sends what was restored, and from now on what changes; `stop` ends it. */
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

  /** Answers a question; `null` takes the answer back. */
  answer(question: number, answer: Given | null): void {
    this.#change(question, { answer });
  }

  flag(question: number, isFlagged: boolean): void {
    this.#change(question, { isFlagged });
  }

  /** Sends what is unacknowledged. Resolves when the server has it, or can't be reached. */
  flush(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
      this.#plan();
    });
    return this.#sending;
  }

  /** Asks the server for its clock and for the state of the sitting, and sends what is unacknowledged. */
  async synchronize(): Promise<void> {
    await this.#sending;
    if (this.#unsent.size > 0) await this.flush();
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
   * Hands the sitting in. What is unacknowledged is sent first; where that fails nothing is handed in. Failures are
   * `ApiError`s.
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
    // A late change would take the place of an earlier one that is still on its way.
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

  /** Writes what has changed to the device, one write after the other; what changes meanwhile goes with the next. */
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
        // Acknowledged while it was being written.
        else if (isStored && !this.#unsent.has(row.question_id)) await this.#forget([row]);
      }
    }
  }

  /** The device's storage was cleared: what this page still has is written anew. */
  async #storeAgain(): Promise<void> {
    const { learner } = this.#parts;
    this.#set({ storage: "cleared" });
    await this.#parts.store.open(learner, this.state.get().sitting.id).catch(() => {});
    for (const row of this.#unsent.values()) this.#toStore.set(row.question_id, row);
    await this.#storeAll();
  }

  #isUnsent({ question_id, epoch, sequence }: StoredAnswer): boolean {
    const row = this.#unsent.get(question_id);
    return row?.sequence === sequence && row.epoch === epoch;
  }

  async #forget(rows: readonly StoredAnswer[]): Promise<void> {
    // A row that stays is sent once more, which does no harm.
    await this.#parts.store.remove(rows).catch(() => {});
  }

  /** Puts an answer of the storage on its way again, unless the server has a newer one. */
  #restoreRow(row: StoredAnswer): void {
    const known = this.#sequences.get(row.question_id) ?? 0;
    const saved = this.state
      .get()
      .sitting.answers.find(({ question_id }) => question_id === row.question_id);
    if (saved !== undefined && isOlder(row, saved)) {
      void this.#forget([row]);
      return;
    }
    this.#sequences.set(row.question_id, Math.max(known, row.sequence));
    this.#unsent.set(row.question_id, row);
    this.#setEntry(row.question_id, {
      answer: row.answer,
      isFlagged: row.is_flagged,
      place: "device",
    });
  }

  /** The next sending: soon after a change, later where the last one failed. */
  #plan(): void {
    const { isTakenOver, phase, isConnected, failure } = this.state.get();
    if (this.#unsent.size === 0 || isTakenOver || phase === "sealed" || this.#over === null) return;
    if (this.#over.signal.aborted || this.#sending !== null) return;
    const { timing } = this.#parts;
    const wait =
      isConnected && failure === null
        ? timing.save
        : Math.max(timing.retry, (failure?.retryAfter ?? 0) * 1000);
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
    // What changes meanwhile goes with the next sending.
    const rows = [...this.#unsent.values()];
    for (const epoch of new Set(rows.map((row) => row.epoch))) {
      const own = rows.filter((row) => row.epoch === epoch);
      for (let from = 0; from < own.length; from += BATCH)
        if (!(await this.#save(epoch, own.slice(from, from + BATCH)))) return;
    }
    await this.#endWhenOver();
  }

  /** One call. Returns whether the server answered it. */
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
    const gone: StoredAnswer[] = [];
    const end = (question: number, sequence: number, place: Place) => {
      const row = sent.get(question);
      if (row?.sequence !== sequence) return;
      gone.push(row);
      // A newer one is on its way.
      if (!this.#isUnsent(row)) return;
      this.#unsent.delete(question);
      this.#setEntry(question, { place });
    };
    for (const { question_id, sequence } of reply.acks) end(question_id, sequence, "server");
    const refusals = { OLDER: "replaced", LATE: "late", INVALID: "invalid" } as const;
    for (const { question_id, sequence, code } of reply.refused)
      end(question_id, sequence, refusals[code]);
    await this.#forget(gone);
    if (reply.refused.some(({ code }) => code !== "INVALID")) await this.#findAnswers();
    this.#takePhase(reply.state);
  }

  /** Shows what the server has where it refused what this device had. */
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
    // An overloaded or failing server counts as a lost connection: the save is tried again.
    else if (status === 429 || status >= 500) this.#set({ isConnected: false, failure: error });
    else this.#set({ failure: error });
  }

  async #findTranscript(): Promise<void> {
    const { api, device } = this.#parts;
    const sitting = await api.find(this.state.get().sitting.id, device).catch(() => null);
    if (sitting?.transcript) this.#seal(sitting.transcript);
  }

  #seal(transcript: Transcript): void {
    this.#set({ transcript, phase: "sealed", isConnected: true });
    this.stop();
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

  /** Takes the server's answers, but for those that are on their way to it. */
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

  /** What came after the time is not shown as if it counted. */
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
   * The time seems to be over: the server is asked, at once where something is on its way to it. Devices that have nothing
   * to send ask one after the other.
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

  /** After the time, what was answered before it is with the server: the sitting is handed in. */
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

  /** The page may not come back: what is on its way goes at once, beside a call that is still running. */
  #leave(): void {
    const { isTakenOver, phase, sitting } = this.state.get();
    if (isTakenOver || phase === "sealed") return;
    const rows = [...this.#unsent.values()].filter(({ epoch }) => epoch === this.#epoch);
    if (rows.length === 0) return;
    const sentAt = this.#steady();
    const batch = rows.slice(0, BATCH);
    this.#parts.api.save(sitting.id, this.#request(this.#epoch, batch), true).then(
      (reply) => this.#takeReply(reply, batch, sentAt),
      // What fails lies in the storage for the next page.
      () => {},
    );
  }
}

const blank: Entry = { answer: null, isFlagged: false, place: null, revision: 0 };

function phaseOf({ state }: Sitting): Phase {
  if (state === "running") return "running";
  return state === "grace" ? "over" : "sealed";
}

/** Whether an answer of this device is of a lower version than the server's. */
function isOlder(row: StoredAnswer, saved: SavedAnswer): boolean {
  return row.epoch === saved.epoch ? row.sequence < saved.sequence : row.epoch < saved.epoch;
}
