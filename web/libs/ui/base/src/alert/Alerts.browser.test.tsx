import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Alerts } from "./Alerts";
import "../theme/base.css";
import { alertStore, closeMessage, showBlue, showMessage } from "./alert-store";

test("spec §2: a short blue notification appears at the top", async () => {
  await render(<Alerts />);
  showBlue("お気に入りに追加しました。");
  const notice = page.getByText("お気に入りに追加しました。");
  await expect.element(notice).toBeVisible();
  const { top } = notice.element().getBoundingClientRect();
  expect(top).toBeLessThan(100);
  const style = getComputedStyle(notice.element());
  // Blue in shade 8, with white text at a contrast of 4.5:1 or more.
  expect(style.backgroundColor).toBe("rgb(25, 113, 194)");
  expect(style.color).toBe("rgb(255, 255, 255)");
});

test("a notice is announced, and fades within 200 ms", async () => {
  await render(<Alerts />);
  showBlue("保存しました。");
  await expect.element(page.getByRole("status")).toHaveTextContent("保存しました。");
  const style = getComputedStyle(page.getByText("保存しました。").element());
  expect(style.transitionDuration).toBe("0.2s");
});

test("an alert with a retry has a button for it", async () => {
  await render(<Alerts />);
  const again = vi.fn<() => void>(closeMessage);
  showMessage("つながりません。", again);
  await page.getByRole("button", { name: "もう一度" }).click();
  expect(again).toHaveBeenCalledOnce();
  showMessage("保存できませんでした。");
  await expect.element(page.getByRole("button", { name: "もう一度" })).not.toBeInTheDocument();
});

test("an error stays until it is closed", async () => {
  await render(<Alerts />);
  showMessage("保存できませんでした。");
  await expect.element(page.getByRole("alert")).toHaveTextContent("保存できませんでした。");
  await page.getByRole("button", { name: "閉じる" }).click();
  expect(alertStore.get().message).toBeNull();
  await expect.element(page.getByText("保存できませんでした。")).not.toBeInTheDocument();
});
