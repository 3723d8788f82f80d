import { expect, test, vi } from "vitest";
import { createStore } from "./store";

test("a store loads its value once, on first access", () => {
  const load = vi.fn<() => number>(() => 1);
  const store = createStore(0, load);
  expect(load).not.toHaveBeenCalled();
  expect([store.get(), store.get(), store.initial]).toEqual([1, 1, 0]);
  expect(load).toHaveBeenCalledOnce();
});

test("listeners are called for every change until they unsubscribe", () => {
  const store = createStore("a");
  const listener = vi.fn<() => void>();
  const leave = store.subscribe(listener);
  store.set("b");
  expect(store.get()).toBe("b");
  store.reload();
  expect(store.get()).toBe("a");
  leave();
  store.set("c");
  expect(listener).toHaveBeenCalledTimes(2);
});
