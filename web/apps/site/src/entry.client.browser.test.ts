import { expect, test, vi } from "vitest";

// This page has no root element for the app.
test("an app that fails to start dispatches an event, and the error is reported", async () => {
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
