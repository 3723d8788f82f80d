import { beforeEach, describe, expect, test, vi } from "vitest";
import { guardChunks, loadOrReload, mayReload, type ReloadPorts } from "./chunk-guard";

let clock = 0;
let kept: Map<string, string>;
let reload: ReturnType<typeof vi.fn<(path: string) => void>>;
let ports: ReloadPorts;

beforeEach(() => {
  clock = 1_000_000;
  kept = new Map();
  reload = vi.fn<(path: string) => void>();
  ports = {
    destination: () => "/course?page=2",
    reload,
    storage: {
      read: (key) => kept.get(key) ?? null,
      write: (key, value) => kept.set(key, value).has(key),
    },
    now: () => clock,
  };
});

const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
/** Lets everything that is already decided happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("spec §4: when a lazily loaded page part fails to load, the page reloads itself, at most once per 10 seconds for the same path", () => {
  test("the page is loaded anew at the place the person was going to, and no error shows", async () => {
    const shown = vi.fn<() => void>();
    loadOrReload(gone, ports).then(shown, shown);
    await settle();
    expect(reload).toHaveBeenCalledExactlyOnceWith("/course?page=2");
    expect(shown).not.toHaveBeenCalled();
  });

  test("a second failure within the time is thrown", async () => {
    void loadOrReload(gone, ports);
    await settle();
    clock += 9_999;
    await expect(loadOrReload(gone, ports)).rejects.toThrow("dynamically imported module");
    expect(reload).toHaveBeenCalledOnce();
  });

  test("spec §9: page reload guard 10000 ms", () => {
    expect(mayReload("/course", ports)).toBe(true);
    clock += 9_999;
    expect(mayReload("/course", ports)).toBe(false);
    clock += 1;
    expect(mayReload("/course", ports)).toBe(true);
  });

  test("where nothing can be stored the page is not reloaded: it could not know that it was", async () => {
    ports = { ...ports, storage: { read: () => null, write: () => false } };
    await expect(loadOrReload(gone, ports)).rejects.toThrow("dynamically imported module");
    expect(reload).not.toHaveBeenCalled();
  });

  test("another path has a guard of its own", () => {
    expect(mayReload("/course", ports)).toBe(true);
    expect(mayReload("/mypage", ports)).toBe(true);
    expect(mayReload("/course", ports)).toBe(false);
  });
});

test("what loads is passed on", async () => {
  await expect(loadOrReload(async () => "screen", ports)).resolves.toBe("screen");
  expect(reload).not.toHaveBeenCalled();
});

test("every lazy part of every route is guarded, in both forms of lazy", async () => {
  const [route] = guardChunks(
    [
      {
        children: [
          { path: "/a", lazy: gone },
          { path: "/b", lazy: { Component: gone } },
        ],
      },
    ],
    ports,
  );
  const [whole, parts] = route?.children ?? [];
  if (typeof whole?.lazy !== "function" || typeof parts?.lazy !== "object") {
    throw new Error("the form of lazy is kept");
  }
  void whole.lazy();
  await settle();
  clock += 10_000;
  void parts.lazy.Component?.();
  await settle();
  expect(reload).toHaveBeenCalledTimes(2);
});
