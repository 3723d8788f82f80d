import { ApiError } from "@konomana/http";
import type { LoaderFunctionArgs } from "react-router";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { guardRoutes, loadOrReload, mayReload, type ReloadPorts } from "./loadGuard";

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
    isReachable: async () => true,
    untilAgain: () => null,
  };
});

const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
/** Waits for all settled promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("spec §4: when a lazily loaded page part fails to load, the page reloads itself, at most once per 10 seconds for the same path", () => {
  test("the page reloads at the destination, and no error is shown", async () => {
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

  test("without storage the page does not reload, because it could not detect a loop", async () => {
    ports = { ...ports, storage: { read: () => null, write: () => false } };
    await expect(loadOrReload(gone, ports)).rejects.toThrow("dynamically imported module");
    expect(reload).not.toHaveBeenCalled();
  });

  test("every path has its own guard", () => {
    expect(mayReload("/course", ports)).toBe(true);
    expect(mayReload("/mypage", ports)).toBe(true);
    expect(mayReload("/course", ports)).toBe(false);
  });
});

test("a loaded part is returned", async () => {
  await expect(loadOrReload(async () => "screen", ports)).resolves.toBe("screen");
  expect(reload).not.toHaveBeenCalled();
});

test("every lazy part of every route is guarded, in both forms of lazy", async () => {
  const [route] = guardRoutes(
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

describe("without a connection the page does not reload", () => {
  let tries: number;
  let tryAgain: () => void;
  /** Fails while there is no connection. */
  const cutOff = (failure: Error) => async () => {
    tries += 1;
    if (!(await ports.isReachable())) throw failure;
    return "screen";
  };
  const reconnect = () => {
    ports = { ...ports, isReachable: async () => true };
    tryAgain();
  };

  beforeEach(() => {
    tries = 0;
    ports = {
      ...ports,
      isReachable: async () => false,
      untilAgain: () => new Promise((resolve) => (tryAgain = resolve)),
    };
  });

  test("a part loads when the person retries", async () => {
    const shown = vi.fn<(part: unknown) => void>();
    const load = cutOff(new TypeError("Failed to fetch dynamically imported module"));
    const loading = loadOrReload(load, { ...ports, isReachable: () => ports.isReachable() });
    void loading.then(shown, shown);
    await settle();
    expect(shown).not.toHaveBeenCalled();
    tryAgain();
    await settle();
    expect([tries, shown.mock.calls.length]).toEqual([2, 0]);
    reconnect();
    await expect(loading).resolves.toBe("screen");
    expect(reload).not.toHaveBeenCalled();
  });

  test("loaders and middleware are retried too", async () => {
    const call = cutOff(new ApiError({ status: 0, code: "NETWORK", traceId: "" }));
    const [route] = guardRoutes([{ path: "/a", loader: call, middleware: [call] }], ports);
    const args = {} as LoaderFunctionArgs;
    if (typeof route?.loader !== "function") throw new Error("the loader is kept");
    for (const guarded of [route.loader, route.middleware?.[0]]) {
      const loading = guarded?.(args, async () => {});
      await settle();
      reconnect();
      await expect(loading).resolves.toBe("screen");
      ports = { ...ports, isReachable: async () => false };
    }
    expect(tries).toBe(4);
  });

  test("other failures of a loader are thrown", async () => {
    const call = cutOff(new ApiError({ status: 500, code: "INTERNAL", traceId: "" }));
    const [route] = guardRoutes([{ path: "/a", middleware: [call] }], ports);
    const guarded = route?.middleware?.[0];
    await expect(guarded?.({} as LoaderFunctionArgs, async () => {})).rejects.toThrow("INTERNAL");
  });

  test("the first page fails, because it has no alert to retry", async () => {
    ports = { ...ports, untilAgain: () => null };
    await expect(loadOrReload(gone, ports)).rejects.toThrow("dynamically imported module");
    expect(reload).not.toHaveBeenCalled();
  });
});
