import { expect, onTestFinished, test, vi } from "vitest";

test("a browser that refuses its storage gets the page back: the app says that it did not start", async () => {
  vi.spyOn(globalThis, "sessionStorage", "get").mockImplementation(() => {
    throw new DOMException("The storage is off.", "SecurityError");
  });
  onTestFinished(() => void vi.restoreAllMocks());
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
  expect(await reported).toMatchObject({ name: "SecurityError" });
  expect(failed).toHaveBeenCalledOnce();
});
