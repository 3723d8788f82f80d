import { afterEach, expect, test, vi } from "vitest";
import { keepsAnswers } from "./keepsAnswers";

afterEach(() => void vi.unstubAllGlobals());

test("a browser that refuses its storage keeps no answers, and nothing is rejected", async () => {
  const refuse = vi.fn<() => never>(() => {
    throw new DOMException("refused", "SecurityError");
  });
  vi.stubGlobal("indexedDB", { open: refuse, deleteDatabase: refuse });
  await expect(keepsAnswers()).resolves.toBe(false);
  expect(refuse).toHaveBeenCalledTimes(2);
});
