import { sharedStorage } from "./storage";

/** An item in the outbox. A sent item must not change, because the server may already have it. */
interface Entry<Item> {
  item: Item;
  isSent?: boolean;
}

interface OutboxParts<Item, Answer> {
  /** Prefix of the storage keys, e.g. `konomana.heartbeats.`. */
  prefix: string;
  /** The id of the account that owns the items. */
  owner: string;
  /** The name of the tab that made the items. */
  tab: string;
  send: (item: Item) => Promise<Answer>;
  /** Merges an item into the last unsent one; `null` sends both separately. */
  merge?: (last: Item, next: Item) => Item | null;
  /**
   * Decides what to do with an item that could not be sent: keep it for a later flush, drop it
   * because a retry can't help, or retry it in another form.
   */
  onFailure: (error: unknown, item: Item) => "wait" | "drop" | { retryAs: Item };
  /** Converts an item for sending from a page that is being left. */
  whenLeaving?: (item: Item) => Item;
  /** Orders the items that closed tabs left behind. */
  compare: (a: Item, b: Item) => number;
}

/**
 * The result of sending an item: the answer, or the error that caused it to be dropped or changed.
 */
export type Delivery<Item, Answer> =
  | { item: Item; answer: Answer }
  | { item: Item; error: unknown };

/**
 * A queue of items to send to the server. They stay in the browser's storage until they are
 * acknowledged, so that neither a lost connection nor a closed tab loses one. Items are sent in
 * order, one at a time, and at least once: the server must recognise a repeated item.
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

  /** The items that are not acknowledged, oldest first. */
  get items(): readonly Item[] {
    return this.#waiting.map(({ item }) => item);
  }

  /** Calls `listener` for every delivery. The returned function unsubscribes. */
  listen(listener: (delivery: Delivery<Item, Answer>) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Adds an item for the next flush. */
  add(item: Item): void {
    const last = this.#waiting.at(-1);
    const both = last && !last.isSent ? this.#parts.merge?.(last.item, item) : null;
    if (last && both) last.item = both;
    else this.#waiting.push({ item });
    this.#store();
  }

  /** Sends the waiting items until all are acknowledged or one has to wait. */
  flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = null));
    return this.#sending;
  }

  /** Sends all waiting items at once, for a page that is being left. It can't wait for answers. */
  flushAtOnce(): void {
    for (const entry of this.#waiting) {
      entry.isSent = true;
      entry.item = this.#parts.whenLeaving?.(entry.item) ?? entry.item;
      // An item that fails stays in storage for the next page.
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

  /**
   * Takes over the items that this account's tabs left in storage. A tab that is still open may
   * send the same items, which does no harm.
   */
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
