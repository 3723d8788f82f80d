import { beforeEach, expect, test } from "vitest";
import { idempotencyKey, type StoredKey } from "./idempotencyKey";

let stored: Partial<StoredKey>;
const store = { read: () => stored, write: (next: StoredKey) => void (stored = next) };

beforeEach(() => {
  stored = {};
});

test("the same content has the same key until the store is cleared", () => {
  const key = idempotencyKey(store, { text: "a" });
  expect(idempotencyKey(store, { text: "a" })).toBe(key);
  stored = {};
  expect(idempotencyKey(store, { text: "a" })).not.toBe(key);
});

test("other content has another key", () => {
  const key = idempotencyKey(store, { text: "a" });
  expect(idempotencyKey(store, { text: "b" })).not.toBe(key);
});
