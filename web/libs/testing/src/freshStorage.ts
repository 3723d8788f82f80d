/** Storage for tests in Node, which has none. All simulated tabs of a test share it. */
import { vi } from "vitest";

class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>();

  get length() {
    return this.#items.size;
  }
  key(index: number) {
    return [...this.#items.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.#items.set(key, value);
  }
  removeItem(key: string) {
    this.#items.delete(key);
  }
  clear() {
    this.#items.clear();
  }
}

/** Gives the test empty local and session storage. */
export function freshStorage(): void {
  vi.stubGlobal("localStorage", new MemoryStorage());
  vi.stubGlobal("sessionStorage", new MemoryStorage());
}

function refuse(): never {
  throw new DOMException("refused", "SecurityError");
}

/** Gives the test storage that throws on every access, as a private window may. */
export function refusingStorage(): void {
  const storage = new Proxy({}, { get: () => refuse });
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("sessionStorage", storage);
}
