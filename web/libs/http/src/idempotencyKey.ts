/** A key, and the content that it was made for. */
export interface StoredKey {
  key: string;
  content: string;
}

/** Where a key is stored until what it stands for is done. */
interface KeyStore {
  read: () => Partial<StoredKey>;
  write: (stored: StoredKey) => void;
}

/**
 * The idempotency key of a request with this content: the same for the same content, also after a reload, so that the
 * server does once what is sent twice; another one as soon as the content changes. Clear the store when it is done.
 */
export function idempotencyKey(store: KeyStore, body: object): string {
  const content = JSON.stringify(body);
  const stored = store.read();
  if (stored.key !== undefined && stored.content === content) return stored.key;
  const key = crypto.randomUUID();
  store.write({ key, content });
  return key;
}
