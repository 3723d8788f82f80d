/**
 * Storage that works when the browser refuses. Private windows, a full disk and browser settings
 * make storage throw. A value that can't be stored is kept in memory until the page closes.
 */
export interface SafeStorage {
  read(key: string): string | null;
  /** Returns whether the value outlives the page. */
  write(key: string, text: string): boolean;
  remove(key: string): void;
  /** The keys with this prefix. */
  keys(prefix: string): string[];
  /**
   * Reads a value as JSON; `null` if it is absent or not JSON. Another version of the site may have
   * written it, so check its shape.
   */
  readJson(key: string): unknown;
  writeJson(key: string, value: unknown): boolean;
}

function createSafeStorage(area: "localStorage" | "sessionStorage"): SafeStorage {
  /** Values that the browser refused to store. */
  const refused = new Map<string, string>();

  function attempt<Result>(fallback: Result, action: (storage: Storage) => Result): Result {
    try {
      // A server has no storage, and reading the property alone may throw.
      const storage = globalThis[area] as Storage | undefined;
      return storage ? action(storage) : fallback;
    } catch {
      return fallback;
    }
  }

  const storage: SafeStorage = {
    read: (key) => refused.get(key) ?? attempt(null, (store) => store.getItem(key)),
    write: (key, text) => {
      const isStored = attempt(false, (store) => {
        store.setItem(key, text);
        return true;
      });
      if (isStored) refused.delete(key);
      else refused.set(key, text);
      return isStored;
    },
    remove: (key) => {
      refused.delete(key);
      attempt(undefined, (store) => store.removeItem(key));
    },
    keys: (prefix) => {
      const stored = attempt([], (store) =>
        Array.from({ length: store.length }, (_, index) => store.key(index) ?? ""),
      );
      const keys = new Set<string>([...stored, ...refused.keys()]);
      return [...keys].filter((key) => key.startsWith(prefix));
    },
    readJson: (key) => {
      try {
        return JSON.parse(storage.read(key) ?? "null") as unknown;
      } catch {
        return null;
      }
    },
    writeJson: (key, value) => storage.write(key, JSON.stringify(value)),
  };
  return storage;
}

/** Shared by all tabs; values stay until they are removed. */
export const sharedStorage = createSafeStorage("localStorage");

/** For this tab only; values survive a reload and end with the tab. */
export const tabStorage = createSafeStorage("sessionStorage");
