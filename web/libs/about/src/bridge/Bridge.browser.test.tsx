import { Alerts } from "@konomana/ui-base";
import axe from "axe-core";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { LineBridgeScreen } from "./LineBridgeScreen";
import { TiktokBridgeScreen } from "./TiktokBridgeScreen";

const line = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Mobile/22F76 Line/15.8.1";
const tiktokOnIphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) musical_ly_40.5.0 BytedanceWebview/d8a";
const tiktokOnAndroid = "Mozilla/5.0 (Linux; Android 14; SO-51D) trill_400503 BytedanceWebview/d8a";

async function open(path: string, userAgent: string) {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
  const router = createMemoryRouter(
    [
      { path: "/line-bridge", Component: LineBridgeScreen },
      { path: "/tiktok-bridge", Component: TiktokBridgeScreen },
    ],
    { initialEntries: [path] },
  );
  return render(
    <>
      <Alerts />
      <RouterProvider router={router} />
    </>,
  );
}

afterEach(() => vi.restoreAllMocks());

test("in LINE one press opens the target page in the default browser", async () => {
  await page.viewport(320, 640);
  const { container } = await open("/line-bridge?to=%2Fcourse%2F101%3Fcampaign%3Dline", line);
  await expect
    .element(page.getByRole("link", { name: "ブラウザで開く" }))
    .toHaveAttribute("href", `${location.origin}/course/101?campaign=line&openExternalBrowser=1`);
  await expect
    .element(page.getByRole("link", { name: "このままの画面で続ける" }))
    .toHaveAttribute("href", "/course/101?campaign=line");
  const { violations } = await axe.run(container);
  expect(violations.map(({ id }) => id)).toEqual([]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
});

test("in TikTok on Android the button opens an intent", async () => {
  await open("/tiktok-bridge?to=%2Fcourse", tiktokOnAndroid);
  const link = page.getByRole("link", { name: "ブラウザで開く" });
  await expect.element(link).toHaveAttribute("href", expect.stringMatching(/^intent:\/\//));
});

test("in TikTok on an iPhone the steps are shown and the address can be copied", async () => {
  await open("/tiktok-bridge?to=%2Fcourse", tiktokOnIphone);
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await page.getByRole("button", { name: "リンクをコピーする" }).click();
  expect(copied).toHaveBeenCalledExactlyOnceWith(`${location.origin}/course`);
  await expect.element(page.getByText("「ブラウザで開く」をえらぶ")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "ブラウザで開く" })).not.toBeInTheDocument();
});

test("when the app forbids copying, the address is shown as text", async () => {
  await open("/tiktok-bridge?to=%2Fcourse%2F101", tiktokOnIphone);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("no"));
  await page.getByRole("button", { name: "リンクをコピーする" }).click();
  await expect.element(page.getByText(`${location.origin}/course/101`)).toBeVisible();
});
