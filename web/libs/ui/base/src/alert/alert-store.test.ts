import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { alertStore, closeMessage, showBlue, showMessage } from "./alert-store";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  closeMessage();
  vi.useRealTimers();
});

describe("spec §4: Blue alert: when a message is set it shows; after 3 s it fades; 200 ms later the message is cleared", () => {
  test("spec §9: Blue alert 3000 ms", () => {
    showBlue("保存しました。");
    vi.advanceTimersByTime(2999);
    expect(alertStore.get()).toMatchObject({ blueMessage: "保存しました。", fading: false });
    vi.advanceTimersByTime(1);
    expect(alertStore.get()).toMatchObject({ blueMessage: "保存しました。", fading: true });
  });

  test("spec §9: then 200 ms before clearing", () => {
    showBlue("保存しました。");
    vi.advanceTimersByTime(3199);
    expect(alertStore.get().blueMessage).toBe("保存しました。");
    vi.advanceTimersByTime(1);
    expect(alertStore.get()).toMatchObject({ blueMessage: null, fading: false });
  });

  test("a newer message shows for its full time, even while the older one fades", () => {
    showBlue("ひとつめ");
    vi.advanceTimersByTime(3100);
    showBlue("ふたつめ");
    expect(alertStore.get()).toMatchObject({ blueMessage: "ふたつめ", fading: false });
    vi.advanceTimersByTime(3199);
    expect(alertStore.get().blueMessage).toBe("ふたつめ");
    vi.advanceTimersByTime(1);
    expect(alertStore.get().blueMessage).toBeNull();
  });
});

test("spec §3: message and blueMessage, each null or text", () => {
  expect(alertStore.get()).toMatchObject({ message: null, blueMessage: null });
  showMessage("できませんでした。");
  vi.advanceTimersByTime(60_000);
  expect(alertStore.get()).toMatchObject({ message: "できませんでした。", blueMessage: null });
  closeMessage();
  expect(alertStore.get().message).toBeNull();
});
