import { freshStorage, refusingStorage } from "@konomana/testing/storage";
import { beforeEach, expect, test, vi } from "vitest";
import { sharedStorage, tabStorage } from "./storage";

beforeEach(() => {
  freshStorage();
  for (const storage of [sharedStorage, tabStorage])
    for (const key of storage.keys("")) storage.remove(key);
});

test("a written value can be read, and is not in the other storage", () => {
  expect(sharedStorage.writeJson("a", { b: 1 })).toBe(true);
  expect(sharedStorage.readJson("a")).toEqual({ b: 1 });
  expect(localStorage.getItem("a")).toBe('{"b":1}');
  expect(tabStorage.read("a")).toBeNull();
});

test("text that is not JSON is absent", () => {
  localStorage.setItem("a", "{");
  expect(sharedStorage.readJson("a")).toBeNull();
});

test("keys are found by their prefix", () => {
  for (const key of ["a.1", "a.2", "b.1"]) tabStorage.write(key, "x");
  expect(tabStorage.keys("a.")).toEqual(["a.1", "a.2"]);
});

test("when the browser refuses to store, a value lasts until the page closes", () => {
  refusingStorage();
  expect(sharedStorage.write("a", "1")).toBe(false);
  expect(sharedStorage.read("a")).toBe("1");
  expect(sharedStorage.keys("")).toEqual(["a"]);
  sharedStorage.remove("a");
  expect(sharedStorage.read("a")).toBeNull();
});

test("without any storage, as on a server, every value is absent", () => {
  vi.stubGlobal("localStorage", undefined);
  expect(sharedStorage.read("a")).toBeNull();
});
