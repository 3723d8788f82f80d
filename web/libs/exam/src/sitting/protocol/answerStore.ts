import type { SentAnswer, Sitting } from "./sittingTypes";

/** The newest answer of this device to a question. One record for each question of a sitting. */
export interface StoredAnswer extends SentAnswer {
  learner: string;
  sitting: string;
  /** The epoch in which it was given. */
  epoch: number;
  /** Whether the server has it. */
  is_acknowledged?: boolean;
}

/** A picture of an answer. */
export interface StoredPicture {
  learner: string;
  sitting: string;
  question_id: number;
  /** SHA-256 of the bytes, in hex. */
  name: string;
  type: string;
  bytes: ArrayBuffer;
}

/** A sitting that was opened on this device. */
interface StoredSitting {
  learner: string;
  sitting: string;
  /** The server's response when it was opened, with its questions. */
  copy?: Sitting;
}

const NAME = "konomana.exam";
const VERSION = 2;
/** The answers, by learner, sitting and question. */
const ANSWERS = "answer";
/** The sittings that were opened on this device, by learner and sitting. */
const SITTINGS = "sitting";
/** The pictures of answers, by learner, sitting, question and name. */
const PICTURES = "picture";
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
   * Stores a copy of a sitting. Returns its stored answers, and whether the sitting was opened on
   * this device before.
   */
  async open(learner: string, copy: Sitting): Promise<{ rows: StoredAnswer[]; isKnown: boolean }> {
    let rows: StoredAnswer[] = [];
    let isKnown = false;
    const sitting = copy.id;
    await this.#change([ANSWERS, SITTINGS], (transaction) => {
      const sittings = transaction.objectStore(SITTINGS);
      const known = sittings.count([learner, sitting]);
      known.addEventListener("success", () => (isKnown = known.result > 0));
      sittings.put({ learner, sitting, copy } satisfies StoredSitting);
      const found = transaction.objectStore(ANSWERS).getAll(rowsOf(learner, sitting));
      found.addEventListener("success", () => (rows = found.result as StoredAnswer[]));
    });
    return { rows, isKnown };
  }

  /** Returns the copy of a paper's sitting, or `null` if it was not opened on this device. */
  async findCopy(learner: string, paper: number): Promise<Sitting | null> {
    let stored: StoredSitting[] = [];
    await this.#change([SITTINGS], (transaction) => {
      const all = IDBKeyRange.bound([learner], [learner, []]);
      const found = transaction.objectStore(SITTINGS).getAll(all);
      found.addEventListener("success", () => (stored = found.result as StoredSitting[]));
    });
    return stored.find(({ copy }) => copy?.paper_id === paper)?.copy ?? null;
  }

  /** Replaces the copy of a sitting, unless it was removed. */
  async replaceCopy(learner: string, copy: Sitting): Promise<void> {
    await this.#change([SITTINGS], (transaction) => {
      const sittings = transaction.objectStore(SITTINGS);
      const row: StoredSitting = { learner, sitting: copy.id, copy };
      const known = sittings.count([learner, copy.id]);
      known.addEventListener("success", () => {
        if (known.result > 0) sittings.put(row);
      });
    });
  }

  /** Removes a sitting with its answers. */
  async clear(learner: string, sitting: string): Promise<void> {
    await this.#change([ANSWERS, SITTINGS, PICTURES], (transaction) => {
      transaction.objectStore(SITTINGS).delete([learner, sitting]);
      transaction.objectStore(ANSWERS).delete(rowsOf(learner, sitting));
      transaction.objectStore(PICTURES).delete(rowsOf(learner, sitting));
    });
  }

  /** Stores a picture. Other pictures of its question are removed, except for that of its stored answer. */
  async putPicture(picture: StoredPicture, answered: string | null): Promise<void> {
    const { learner, sitting, question_id, name } = picture;
    await this.#change([PICTURES], (transaction) => {
      const pictures = transaction.objectStore(PICTURES);
      const own = [learner, sitting, question_id];
      const found = pictures.getAllKeys(IDBKeyRange.bound(own, [...own, []]));
      found.addEventListener("success", () => {
        for (const key of found.result as string[][])
          if (key[3] !== name && key[3] !== answered) pictures.delete(key);
      });
      pictures.put(picture);
    });
  }

  /** Finds a picture of this device. */
  async findPicture(
    learner: string,
    sitting: string,
    question: number,
    name: string,
  ): Promise<StoredPicture | null> {
    let stored: StoredPicture | undefined;
    await this.#change([PICTURES], (transaction) => {
      const found = transaction.objectStore(PICTURES).get([learner, sitting, question, name]);
      found.addEventListener("success", () => (stored = found.result as StoredPicture | undefined));
    });
    return stored ?? null;
  }

  /** Writes answers and replaces earlier ones of the same questions. */
  async put(rows: readonly StoredAnswer[]): Promise<void> {
    await this.#change([ANSWERS], (transaction) => {
      for (const row of rows) transaction.objectStore(ANSWERS).put(row);
    });
  }

  /** Marks answers as acknowledged, each only if its sequence number is unchanged. */
  async acknowledge(rows: readonly StoredAnswer[]): Promise<void> {
    await this.#changeEach(rows, (answers, row) =>
      answers.put({ ...row, is_acknowledged: true } satisfies StoredAnswer),
    );
  }

  /** Removes answers, each only if its sequence number is unchanged. */
  async remove(rows: readonly StoredAnswer[]): Promise<void> {
    await this.#changeEach(rows, (answers, { learner, sitting, question_id }) =>
      answers.delete([learner, sitting, question_id]),
    );
  }

  async #changeEach(
    rows: readonly StoredAnswer[],
    change: (answers: IDBObjectStore, row: StoredAnswer) => unknown,
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.#change([ANSWERS], (transaction) => {
      const answers = transaction.objectStore(ANSWERS);
      for (const row of rows) {
        const { learner, sitting, question_id, epoch, sequence } = row;
        const found = answers.get([learner, sitting, question_id]);
        found.addEventListener("success", () => {
          const stored = found.result as StoredAnswer | undefined;
          if (stored?.sequence === sequence && stored.epoch === epoch) change(answers, row);
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
      const { objectStoreNames: known } = request.result;
      const create = (name: string, keyPath: string[]) => {
        if (!known.contains(name)) request.result.createObjectStore(name, { keyPath });
      };
      create(ANSWERS, ["learner", "sitting", "question_id"]);
      create(SITTINGS, ["learner", "sitting"]);
      create(PICTURES, ["learner", "sitting", "question_id", "name"]);
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
