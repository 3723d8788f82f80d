import type { SentAnswer } from "./sittingTypes";

/** An answer that the server has not acknowledged. One record for each question of a sitting. */
export interface StoredAnswer extends SentAnswer {
  learner: string;
  sitting: string;
  /** The epoch in which it was given. */
  epoch: number;
}

const NAME = "konomana.exam";
const VERSION = 1;
/** The unacknowledged answers, by learner, sitting and question. */
const ANSWERS = "answer";
/** The sittings that were opened on this device, by learner and sitting. */
const SITTINGS = "sitting";
/** Open timeout. A blocked database never responds, so after it the storage counts as refused. */
const OPEN_TIMEOUT_MS = 10_000;

/** The key range of all questions of one sitting. */
const rowsOf = (learner: string, sitting: string) =>
  IDBKeyRange.bound([learner, sitting], [learner, sitting, []]);

/**
 * Answers in IndexedDB. Every method rejects if the browser refuses, e.g. in a private window, on a
 * full disk, or while data is being cleared. A change is on the disk when its promise resolves.
 */
export class AnswerStore {
  /** Called when the browser closes the database, e.g. because the data of the site is cleared. */
  onClosed: () => void = () => {};
  #opening: Promise<IDBDatabase> | null = null;

  /**
   * The unacknowledged answers of a sitting, and whether the sitting was opened on this device
   * before.
   */
  async open(
    learner: string,
    sitting: string,
  ): Promise<{ rows: StoredAnswer[]; isKnown: boolean }> {
    let rows: StoredAnswer[] = [];
    let isKnown = false;
    await this.#change([ANSWERS, SITTINGS], (transaction) => {
      const sittings = transaction.objectStore(SITTINGS);
      const known = sittings.count([learner, sitting]);
      known.addEventListener("success", () => (isKnown = known.result > 0));
      sittings.put({ learner, sitting });
      const found = transaction.objectStore(ANSWERS).getAll(rowsOf(learner, sitting));
      found.addEventListener("success", () => (rows = found.result as StoredAnswer[]));
    });
    return { rows, isKnown };
  }

  /** Writes answers and replaces earlier ones of the same questions. */
  async put(rows: readonly StoredAnswer[]): Promise<void> {
    await this.#change([ANSWERS], (transaction) => {
      for (const row of rows) transaction.objectStore(ANSWERS).put(row);
    });
  }

  /** Removes answers, each only if its sequence number is unchanged. */
  async remove(rows: readonly StoredAnswer[]): Promise<void> {
    await this.#change([ANSWERS], (transaction) => {
      const answers = transaction.objectStore(ANSWERS);
      for (const { learner, sitting, question_id, epoch, sequence } of rows) {
        const key = [learner, sitting, question_id];
        const found = answers.get(key);
        found.addEventListener("success", () => {
          const stored = found.result as StoredAnswer | undefined;
          if (stored?.sequence === sequence && stored.epoch === epoch) answers.delete(key);
        });
      }
    });
  }

  /** Closes the database. The next call opens it again. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    (await opening?.catch(() => null))?.close();
  }

  async #change(stores: string[], change: (transaction: IDBTransaction) => void): Promise<void> {
    const database = await this.#connect();
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(stores, "readwrite", { durability: "strict" });
      transaction.addEventListener("complete", () => resolve());
      transaction.addEventListener("abort", () => reject(transaction.error as Error));
      change(transaction);
    });
  }

  #connect(): Promise<IDBDatabase> {
    const closed = () => {
      this.#opening = null;
      this.onClosed();
    };
    this.#opening ??= openDatabase(closed).catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }
}

function openDatabase(onClosed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Throws if the browser allows no database for this page.
    const request = indexedDB.open(NAME, VERSION);
    const timer = setTimeout(
      () => reject(new Error("The database did not open.")),
      OPEN_TIMEOUT_MS,
    );
    request.addEventListener("upgradeneeded", () => {
      request.result.createObjectStore(ANSWERS, { keyPath: ["learner", "sitting", "question_id"] });
      request.result.createObjectStore(SITTINGS, { keyPath: ["learner", "sitting"] });
    });
    request.addEventListener("error", () => {
      clearTimeout(timer);
      reject(request.error as Error);
    });
    request.addEventListener("success", () => {
      clearTimeout(timer);
      const database = request.result;
      // The data is being cleared, or the browser closes the connection.
      database.addEventListener("close", onClosed);
      database.addEventListener("versionchange", () => {
        database.close();
        onClosed();
      });
      resolve(database);
    });
  });
}
