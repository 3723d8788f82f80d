import { expect, test, vi } from "vitest";
import { PreloadQueue } from "./preload";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Tasks that a test ends explicitly. */
function tasks() {
  const running = new Map<string, PromiseWithResolvers<void>>();
  const start = (name: string) => () => {
    const task = Promise.withResolvers<void>();
    running.set(name, task);
    return task.promise;
  };
  const end = async (name: string) => {
    running.get(name)?.resolve();
    running.delete(name);
    await settle();
  };
  return { running, start, end };
}

test("spec §9: up to 4 concurrent route preloads", async () => {
  const queue = new PreloadQueue();
  const { running, start, end } = tasks();
  for (const name of ["a", "b", "c", "d", "e", "f"]) queue.add(name, start(name));
  expect([...running.keys()]).toEqual(["a", "b", "c", "d"]);
  await end("c");
  expect([...running.keys()]).toEqual(["a", "b", "d", "e"]);
  await end("a");
  expect([...running.keys()]).toEqual(["b", "d", "e", "f"]);
});

test("a route is preloaded once", async () => {
  const queue = new PreloadQueue();
  const load = vi.fn<() => Promise<void>>(async () => {});
  queue.add("/course", load);
  queue.add("/course", load);
  await settle();
  queue.add("/course", load);
  expect(load).toHaveBeenCalledOnce();
});

test("a failed preload may be requested again and does not block others", async () => {
  const queue = new PreloadQueue();
  const fail = vi.fn<() => Promise<void>>(() => Promise.reject(new Error("offline")));
  queue.add("/course", fail);
  await settle();
  queue.add("/course", fail);
  await settle();
  expect(fail).toHaveBeenCalledTimes(2);
});
