/** A key and the content it belongs to. */
export interface StoredKey {
  key: string;
  content: string;
}

/** Stores a key until its request is done. */
interface KeyStore {
  read: () => Partial<StoredKey>;
  write: (stored: StoredKey) => void;
}

/**
 * The idempotency key of a request with this content. The same content gets the same key, also
 * after a reload, so that the server processes a repeated request once. Other content gets a new
 * key. Clear the store when the request is done.
 */
export function idempotencyKey(store: KeyStore, body: object): string {
  const content = JSON.stringify(body);
  const stored = store.read();
  if (stored.key !== undefined && stored.content === content) return stored.key;
  const key = crypto.randomUUID();
  store.write({ key, content });
  return key;
}
