/**
 * Storage that may refuse: private windows, a full disk and settings of the browser make it throw. What can't be
 * stored is kept as long as the page.
 */
export interface SafeStorage {
  read(key: string): string | null;
  /** Returns whether it outlives the page. */
  write(key: string, text: string): boolean;
  remove(key: string): void;
  /** The keys that begin with `prefix`. */
  keys(prefix: string): string[];
  /** What is stored as JSON; `null` where nothing readable is. Another version may have written it: check its shape. */
  readJson(key: string): unknown;
  writeJson(key: string, value: unknown): boolean;
}

function createSafeStorage(area: "localStorage" | "sessionStorage"): SafeStorage {
  /** What the browser refused to store. */
  const refused = new Map<string, string>();

  function attempt<Result>(fallback: Result, action: (storage: Storage) => Result): Result {
    try {
      // A server has none, and reading the property alone may throw.
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

/** Shared by all tabs, and kept until it is removed. */
export const sharedStorage = createSafeStorage("localStorage");

/** Of this tab alone; it survives a reload and ends with the tab. */
export const tabStorage = createSafeStorage("sessionStorage");
