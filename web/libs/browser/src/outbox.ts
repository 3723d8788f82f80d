import { sharedStorage } from "./storage";

/** An item on its way, and whether it was sent: the server may have it, so it must stay as it is. */
interface Entry<Item> {
  item: Item;
  isSent?: boolean;
}

interface OutboxParts<Item, Answer> {
  /** Begins the keys of its storage, e.g. `konomana.heartbeats.`. */
  prefix: string;
  /** Whose items these are. */
  owner: string;
  /** Which tab they come from. */
  tab: string;
  send: (item: Item) => Promise<Answer>;
  /** Joins an item to the last one that was not sent yet; `null` where both go out apart. */
  merge?: (last: Item, next: Item) => Item | null;
  /**
   * What becomes of an item that could not be sent: it waits for a better time, is dropped because no repetition
   * helps, or goes out in another form.
   */
  onFailure: (error: unknown, item: Item) => "wait" | "drop" | { retryAs: Item };
  /** The form in which an item is sent by a page that is being left. */
  whenLeaving?: (item: Item) => Item;
  /** Orders the items that closed tabs left behind. */
  compare: (a: Item, b: Item) => number;
}

/** What became of an item: the answer, or the error that it was dropped or changed for. */
export type Delivery<Item, Answer> =
  | { item: Item; answer: Answer }
  | { item: Item; error: unknown };

/**
 * Items on their way to the server. They lie in the browser's storage until they are acknowledged, so that neither a
 * lost connection nor a closed tab loses one. They go out in order, one at a time, and each at least once: the
 * server must know a repeated one.
 */
export class Outbox<Item, Answer> {
  readonly #parts: OutboxParts<Item, Answer>;
  readonly #key: string;
  readonly #listeners = new Set<(delivery: Delivery<Item, Answer>) => void>();
  #waiting: Entry<Item>[];
  #sending: Promise<void> | null = null;

  constructor(parts: OutboxParts<Item, Answer>) {
    this.#parts = parts;
    this.#key = `${parts.prefix}${parts.owner}.${parts.tab}`;
    this.#waiting = this.#adopt();
    this.#store();
  }

  /** The items that are not acknowledged, the oldest first. */
  get items(): readonly Item[] {
    return this.#waiting.map(({ item }) => item);
  }

  /** Calls `listener` for every delivery; the returned function ends that. */
  listen(listener: (delivery: Delivery<Item, Answer>) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Keeps an item for the next sending. */
  add(item: Item): void {
    const last = this.#waiting.at(-1);
    const both = last && !last.isSent ? this.#parts.merge?.(last.item, item) : null;
    if (last && both) last.item = both;
    else this.#waiting.push({ item });
    this.#store();
  }

  /** Sends what waits, until all is acknowledged or the server can't be reached. */
  flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = null));
    return this.#sending;
  }

  /** Sends all that waits at once, for a page that is being left: it gets no answer after which the next could follow. */
  flushAtOnce(): void {
    for (const entry of this.#waiting) {
      entry.isSent = true;
      entry.item = this.#parts.whenLeaving?.(entry.item) ?? entry.item;
      // What fails lies in the storage for the next page.
      this.#parts.send(entry.item).then(
        () => this.#drop(entry),
        () => {},
      );
    }
    this.#store();
  }

  async #sendAll(): Promise<void> {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const { item } = first;
      first.isSent = true;
      this.#store();
      let delivery: Delivery<Item, Answer>;
      try {
        delivery = { item, answer: await this.#parts.send(item) };
        this.#drop(first);
      } catch (error) {
        const next = this.#parts.onFailure(error, item);
        if (next === "wait") return;
        if (next === "drop") this.#drop(first);
        else first.item = next.retryAs;
        this.#store();
        delivery = { item, error };
      }
      for (const listener of this.#listeners) listener(delivery);
    }
  }

  #drop(acknowledged: Entry<Item>): void {
    this.#waiting = this.#waiting.filter((one) => one !== acknowledged);
    this.#store();
  }

  #store(): void {
    if (this.#waiting.length === 0) sharedStorage.remove(this.#key);
    else sharedStorage.writeJson(this.#key, this.#waiting);
  }

  /** What this person's tabs left behind; one that is still open may send the same, which does no harm. */
  #adopt(): Entry<Item>[] {
    const { prefix, owner, compare } = this.#parts;
    const left: Entry<Item>[] = [];
    for (const key of sharedStorage.keys(`${prefix}${owner}.`)) {
      const stored = sharedStorage.readJson(key);
      if (Array.isArray(stored)) left.push(...(stored as Entry<Item>[]));
      if (key !== this.#key) sharedStorage.remove(key);
    }
    return left.toSorted((a, b) => compare(a.item, b.item));
  }
}
