import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { createQueries } from "./queryClient";

test("without a connection a mutation fails at once instead of waiting", async () => {
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  const saving = new MutationObserver(createQueries(), {
    mutationFn: () => Promise.reject(new Error("no connection")),
  });
  await expect(saving.mutate()).rejects.toThrow("no connection");
});
