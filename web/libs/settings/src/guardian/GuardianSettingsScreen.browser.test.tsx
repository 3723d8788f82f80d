import type { GuardianLink } from "../api";
import { expect, test } from "vitest";
import { done, json, learner, problem } from "@konomana/testing";
import { openFor } from "../settingsTesting";
import { GuardianSettingsScreen } from "./GuardianSettingsScreen";

const mother: GuardianLink = { id: "l1", name: "木下 恵", since: "2026-11-01T00:00:00Z" };

test("a code is created and shown with its expiry, and a new one replaces it", async () => {
  let made = 0;
  const { screen } = await openFor(learner, GuardianSettingsScreen, {
    "GET accounts/guardian/links/": () => json({ results: [], views: [] }),
    "POST accounts/guardian/code/": () => {
      made += 1;
      return json({ code: `ABCD-234${made}`, expires_at: "2026-11-21T15:30:00Z" }, 201);
    },
  });
  await expect.element(screen.getByText(/利用と購入に同意したことになります。/)).toBeVisible();
  await screen.getByRole("button", { name: "コードを発行する" }).click();
  await expect.element(screen.getByText("ABCD-2341")).toBeVisible();
  await expect.element(screen.getByText(/2026年11月22日\(日\) 00:30まで/)).toBeVisible();
  await screen.getByRole("button", { name: "新しいコードにする" }).click();
  await expect.element(screen.getByText("ABCD-2342")).toBeVisible();
  await expect.element(screen.getByText("ABCD-2341")).not.toBeInTheDocument();
});

test("a failure to create a code shows the reason", async () => {
  const { screen } = await openFor(learner, GuardianSettingsScreen, {
    "GET accounts/guardian/links/": () => json({ results: [], views: [] }),
    "POST accounts/guardian/code/": () => problem(502, "UPSTREAM_UNAVAILABLE"),
  });
  await screen.getByRole("button", { name: "コードを発行する" }).click();
  await expect.element(screen.getByText(/^ただいまつながりにくくなっています。/)).toBeVisible();
});

test("with four guardians no further code can be created", async () => {
  const results = ["1", "2", "3", "4"].map((id) => ({ ...mother, id }));
  const { screen } = await openFor(learner, GuardianSettingsScreen, {
    "GET accounts/guardian/links/": () => json({ results, views: [] }),
  });
  await expect.element(screen.getByText(/つながれる保護者は4人までです。/)).toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "コードを発行する" }))
    .not.toBeInTheDocument();
});

test("what guardians see is told and linked, and a link is ended after a confirmation", async () => {
  let results = [mother];
  const { screen, blue } = await openFor(learner, GuardianSettingsScreen, {
    "GET accounts/guardian/links/": () => json({ results, views: [] }),
    "DELETE accounts/guardian/links/{id}/": () => {
      results = [];
      return done();
    },
  });
  await expect
    .element(screen.getByRole("link", { name: "保護者に見えている画面と、見た記録" }))
    .toHaveAttribute("href", "/mypage/guardian-view");
  await expect
    .element(screen.getByText(/模試の予定と結果（点数、偏差値、順位、志望校の判定/))
    .toBeVisible();
  await screen.getByRole("button", { name: "木下 恵さんとのつながりを解除する" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "解除する" }).click();
  await expect.element(screen.getByText("つながっている保護者はいません。")).toBeVisible();
  expect(blue()).toBe("つながりを解除しました。");
});
