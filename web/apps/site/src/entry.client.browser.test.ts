import { expect, test, vi } from "vitest";

// This page has no element for the app.
test("an app that can't start says so, and the error is reported", async () => {
  const failed = vi.fn<() => void>();
  addEventListener("start-failed", failed, { once: true });
  const reported = new Promise<unknown>((resolve) => {
    const listen = (event: PromiseRejectionEvent) => {
      event.stopImmediatePropagation();
      event.preventDefault();
      resolve(event.reason);
    };
    addEventListener("unhandledrejection", listen, { capture: true, once: true });
  });
  await import("./entry.client");
  expect(await reported).toMatchObject({ message: "The page has no root element." });
  expect(failed).toHaveBeenCalledOnce();
});
