import type { Store } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import { pictureIn } from "../../picture/pictureIn";
import type { AnswerStore, StoredAnswer } from "./answerStore";
import type { SittingApi } from "./sittingApi";
import type { SittingState } from "./sittingState";
import type { ExamAnswer } from "./sittingTypes";
import type { Timing } from "./timing";

interface DevicePicturesParts {
  state: Store<SittingState>;
  store: AnswerStore;
  learner: string;
  api: SittingApi;
  timing: Timing;
  /** Takes the error of an upload, which is tried again with the next send. */
  fail: (error: unknown) => Promise<void>;
}

/** The newest picture of a question on this page. */
interface RecentPicture {
  name: string;
  picture: Blob;
  /** When it was given, by the steady clock. */
  at: number;
  /** When the first of the pictures was given that the server has not got. */
  since: number;
}

/**
 * The pictures of a sitting on this device. A picture is on the server before the answer that names
 * it is saved.
 */
export class DevicePictures {
  readonly #parts: DevicePicturesParts;
  /** By question. A picture is here too if the device refuses to store it. */
  readonly #recent = new Map<number, RecentPicture>();
  /**
   * The name of the picture that was sent last, by question. Earlier ones are sent again: the server
   * may have deleted them.
   */
  readonly #sent = new Map<number, string>();
  /** The number of answers on this page, by question. */
  readonly #turns = new Map<number, number>();
  /** Pictures are stored one after the other, so that the last one stays. */
  #storing: Promise<unknown> = Promise.resolve();
  #sending: Promise<boolean> | null = null;

  constructor(parts: DevicePicturesParts) {
    this.#parts = parts;
  }

  /** The question is answered again: a picture that is still being stored is no answer to it. */
  supersede(question: number): number {
    const turn = (this.#turns.get(question) ?? 0) + 1;
    this.#turns.set(question, turn);
    return turn;
  }

  /** Stores a picture on the device. Returns its answer, or `null` if the question was answered again meanwhile. */
  async keep(question: number, picture: Blob): Promise<ExamAnswer | null> {
    const turn = this.supersede(question);
    const stored = this.#storing.then(() => this.#store(question, picture));
    this.#storing = stored.catch(() => {});
    const name = await stored;
    return this.#turns.get(question) === turn ? { picture: name } : null;
  }

  /** The picture of an answer, from this device or from the server. Failures are `ApiError`s. */
  async load(question: number, name: string): Promise<Blob> {
    return (await this.#find(question, name)) ?? this.#parts.api.picture(question, name);
  }

  /** Whether the picture of an answer has to be sent first. */
  isMissing({ answer, question_id }: StoredAnswer): boolean {
    const name = pictureIn(answer);
    return name !== null && this.#sent.get(question_id) !== name;
  }

  /**
   * Sends the pictures of unsent answers, one after the other: those that have not changed for a
   * while, or every one if it `isUrgent`. Returns whether any was sent.
   */
  send(unsent: () => readonly StoredAnswer[], isUrgent: boolean): Promise<boolean> {
    this.#sending ??= this.#sendAll(unsent, isUrgent).finally(() => (this.#sending = null));
    return this.#sending;
  }

  /** Waits for a running `send`, and sends the pictures that it left. Returns whether any was sent. */
  async sendAtOnce(unsent: () => readonly StoredAnswer[]): Promise<boolean> {
    let isSent = false;
    while (this.#sending !== null) isSent = (await this.#sending) || isSent;
    return (await this.send(unsent, true)) || isSent;
  }

  async #sendAll(unsent: () => readonly StoredAnswer[], isUrgent: boolean): Promise<boolean> {
    let isSent = false;
    const next = () =>
      unsent().find((row) => this.isMissing(row) && (isUrgent || this.#isDue(row)));
    for (let row = next(); row !== undefined; row = next()) {
      const name = pictureIn(row.answer) ?? "";
      try {
        await this.#put(row.question_id, name);
      } catch (error) {
        await this.#parts.fail(error);
        return isSent;
      }
      this.#sent.set(row.question_id, name);
      isSent = true;
    }
    return isSent;
  }

  /** Whether the picture of an answer has stayed the same for long enough. */
  #isDue({ answer, question_id }: StoredAnswer): boolean {
    const recent = this.#recent.get(question_id);
    if (recent === undefined || recent.name !== pictureIn(answer)) return true;
    const { clocks, pause, longestPause } = this.#parts.timing;
    const now = clocks.steady();
    return now - recent.at >= pause || now - recent.since >= longestPause;
  }

  /** Sends a picture. Fails if another attempt may succeed; the server refuses the answer of a refused picture. */
  async #put(question: number, name: string): Promise<void> {
    const { api, state } = this.#parts;
    const picture = await this.#find(question, name);
    // Another page of this device has sent it, or its storage was cleared.
    if (picture === null) return;
    try {
      await api.putPicture(state.get().sitting.id, question, picture);
    } catch (error) {
      if (!(error instanceof ApiError && error.code.startsWith("PICTURE_"))) throw error;
    }
  }

  /** Finds a picture on the device. */
  async #find(question: number, name: string): Promise<Blob | null> {
    const recent = this.#recent.get(question);
    if (recent?.name === name) return recent.picture;
    const { store, learner, state } = this.#parts;
    const { id } = state.get().sitting;
    const stored = await store.findPicture(learner, id, question, name).catch(() => null);
    return stored === null ? null : new Blob([stored.bytes], { type: stored.type });
  }

  /** Stores a picture beside that of the current answer. Returns its name. */
  async #store(question: number, picture: Blob): Promise<string> {
    const bytes = await picture.arrayBuffer();
    const name = await nameOf(bytes);
    const { store, learner, state } = this.#parts;
    const { sitting, entries } = state.get();
    const answered = pictureIn(entries.get(question)?.answer ?? null);
    const row = { learner, sitting: sitting.id, question_id: question, name };
    // If the storage is refused, the picture stays on this page, and the place of its answer shows that.
    await store.putPicture({ ...row, type: picture.type, bytes }, answered).catch(() => {});
    const before = this.#recent.get(question);
    const at = this.#parts.timing.clocks.steady();
    const isWaiting = before !== undefined && this.#sent.get(question) !== before.name;
    this.#recent.set(question, { name, picture, at, since: isWaiting ? before.since : at });
    return name;
  }
}

/** The name of a picture: the SHA-256 of its bytes in hex. */
async function nameOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
