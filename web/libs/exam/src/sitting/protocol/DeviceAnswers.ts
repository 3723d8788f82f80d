import type { Store } from "@konomana/browser";
import type { AnswerStore, StoredAnswer } from "./answerStore";
import { restorationOf } from "./restoredAnswer";
import { blank, type Entry, type Place, type SittingState } from "./sittingState";
import type { ExamAnswer, SaveReply, SavedAnswer } from "./sittingTypes";

interface DeviceAnswersParts {
  /** `DeviceAnswers` sets its `entries`, `unsent` and `storage`. */
  state: Store<SittingState>;
  store: AnswerStore;
  learner: string;
}

/** What changes when a question is answered or flagged. */
export interface AnswerChange {
  /** `null` removes the answer. */
  answer?: ExamAnswer | null;
  isFlagged?: boolean;
}

/** The place of an answer that the server refuses. */
const refusals = { OLDER: "replaced", LATE: "late", INVALID: "invalid" } as const;

/**
 * The answers of a sitting on this device. Each change is written to the device's storage at once.
 * It stays there until the server acknowledges its sequence number.
 */
export class DeviceAnswers {
  readonly #parts: DeviceAnswersParts;
  /** By question. */
  readonly #unsent = new Map<number, StoredAnswer>();
  readonly #sequences = new Map<number, number>();
  readonly #toStore = new Map<number, StoredAnswer>();
  #storing: Promise<void> | null = null;

  constructor(parts: DeviceAnswersParts) {
    this.#parts = parts;
  }

  /** The answers that the server has not acknowledged. */
  get unsent(): readonly StoredAnswer[] {
    return [...this.#unsent.values()];
  }

  /**
   * Loads the stored answers of this device. `isNew`: this device has just taken over and has none.
   * `isCopy`: the sitting was not fetched from the server.
   */
  async restore(isNew: boolean, isCopy: boolean): Promise<void> {
    const { state, store, learner } = this.#parts;
    const { sitting } = state.get();
    store.onClosed = () => void this.#storeAgain();
    try {
      const { rows, isKnown } = await store.open(learner, sitting);
      if (!isKnown && !isNew && sitting.answers.length > 0) this.#setStorage("cleared");
      for (const row of rows) this.#restoreRow(row, isCopy);
    } catch {
      this.#setStorage("refused");
    }
  }

  /** Stores a change of an answer. `answeredAt` is by the device's clock, as RFC 3339. */
  change(question: number, change: AnswerChange, answeredAt: string): void {
    const { state, learner } = this.#parts;
    const { entries, sitting } = state.get();
    const { answer, isFlagged } = { ...(entries.get(question) ?? blank), ...change };
    const sequence = (this.#sequences.get(question) ?? 0) + 1;
    this.#sequences.set(question, sequence);
    const row: StoredAnswer = {
      learner,
      sitting: sitting.id,
      epoch: sitting.epoch,
      question_id: question,
      sequence,
      answer,
      is_flagged: isFlagged,
      answered_at: answeredAt,
    };
    this.#unsent.set(question, row);
    this.#setEntry(question, { answer, isFlagged, place: "writing" });
    this.#toStore.set(question, row);
    void this.#storeAll();
  }

  /** Applies the server's answers, except for questions with an unsent answer. */
  takeAll(answers: readonly SavedAnswer[]): void {
    for (const saved of answers) {
      if (this.#unsent.has(saved.question_id)) this.#noteSequence(saved);
      else this.#take(saved);
    }
  }

  /** Applies the server's answers where it refused those of this device. */
  takeRefused(answers: readonly SavedAnswer[]): void {
    const refused = new Set<Place | null>(["replaced", "late"]);
    for (const saved of answers)
      if (refused.has(this.#entry(saved.question_id).place)) this.#take(saved);
  }

  /** Applies the server's response to the answers of one call. */
  async takeReply({ acks, refused }: SaveReply, rows: readonly StoredAnswer[]): Promise<void> {
    const sent = new Map(rows.map((row) => [row.question_id, row]));
    const savedRows: StoredAnswer[] = [];
    const refusedRows: StoredAnswer[] = [];
    const end = (question: number, sequence: number, place: Place) => {
      const row = sent.get(question);
      if (row?.sequence !== sequence) return;
      (place === "server" ? savedRows : refusedRows).push(row);
      // A newer answer is queued.
      if (!this.#isUnsent(row)) return;
      this.#unsent.delete(question);
      this.#setEntry(question, { place });
    };
    for (const { question_id, sequence } of acks) end(question_id, sequence, "server");
    for (const { question_id, sequence, code } of refused)
      end(question_id, sequence, refusals[code]);
    await this.#acknowledge(savedRows);
    await this.#forget(refusedRows);
  }

  /** Shows every answer as it is stored, in place of what was typed since. */
  showStored(): void {
    for (const [question, { revision }] of this.#parts.state.get().entries)
      this.#setEntry(question, { revision: revision + 1 });
  }

  /** Stops watching the device's storage. */
  stop(): void {
    this.#parts.store.onClosed = () => {};
  }

  /** Removes the sitting and its answers from the device's storage. */
  clear(): void {
    const { state, store, learner } = this.#parts;
    void store.clear(learner, state.get().sitting.id).catch(() => {});
  }

  #entry(question: number): Entry {
    return this.#parts.state.get().entries.get(question) ?? blank;
  }

  #setEntry(question: number, parts: Partial<Entry>): void {
    const { state } = this.#parts;
    const entry = { ...this.#entry(question), ...parts };
    const entries = new Map(state.get().entries).set(question, entry);
    state.set({ ...state.get(), entries, unsent: this.#unsent.size });
  }

  #setStorage(storage: SittingState["storage"]): void {
    const { state } = this.#parts;
    state.set({ ...state.get(), storage });
  }

  #take(saved: SavedAnswer): void {
    const { question_id, answer, is_flagged } = saved;
    this.#noteSequence(saved);
    const { place, revision } = this.#entry(question_id);
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

  /**
   * Writes the changes to the device, one write after the other. Changes made meanwhile go with the
   * next write.
   */
  #storeAll(): Promise<void> {
    this.#storing ??= this.#storeEach().finally(() => (this.#storing = null));
    return this.#storing;
  }

  async #storeEach(): Promise<void> {
    const { state, store } = this.#parts;
    while (this.#toStore.size > 0) {
      const rows = [...this.#toStore.values()];
      this.#toStore.clear();
      const isStored = await store.put(rows).then(
        () => true,
        () => false,
      );
      if (!isStored) this.#setStorage("refused");
      else if (state.get().storage === "refused") this.#setStorage("kept");
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
    const { state, store, learner } = this.#parts;
    this.#setStorage("cleared");
    await store.open(learner, state.get().sitting).catch(() => {});
    for (const row of this.#unsent.values()) this.#toStore.set(row.question_id, row);
    await this.#storeAll();
  }

  #isUnsent({ question_id, epoch, sequence }: StoredAnswer): boolean {
    const row = this.#unsent.get(question_id);
    return row?.sequence === sequence && row.epoch === epoch;
  }

  /** Stores the server's acknowledgement of an answer. */
  async #noteEnd(row: StoredAnswer): Promise<void> {
    const isSaved = this.#entry(row.question_id).place === "server";
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
  #restoreRow(row: StoredAnswer, isCopy: boolean): void {
    const known = this.#sequences.get(row.question_id) ?? 0;
    const saved = this.#parts.state
      .get()
      .sitting.answers.find(({ question_id }) => question_id === row.question_id);
    const restoration = restorationOf(row, saved, isCopy);
    if (restoration === "remove") void this.#forget([row]);
    if (restoration === "remove" || restoration === "ignore") return;
    this.#sequences.set(row.question_id, Math.max(known, row.sequence));
    if (restoration === "send") this.#unsent.set(row.question_id, row);
    this.#setEntry(row.question_id, {
      answer: row.answer,
      isFlagged: row.is_flagged,
      place: restoration === "send" ? "device" : "server",
    });
  }
}
