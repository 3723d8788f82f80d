import { type Answers, done, problem } from "@konomana/testing";
import { alertStore } from "@konomana/ui-base";
import { expect, test } from "vitest";
import type { Child } from "../api";
import { open } from "../testing/learner";
import {
  aoi,
  CHILD,
  CHILDREN,
  guardian,
  OVERVIEW,
  overviewOf,
  progressOf,
} from "./guardianTesting";

test("a child's courses show their progress", async () => {
  const answers: Answers = {
    [CHILDREN]: () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () => progressOf(),
    [OVERVIEW]: () => overviewOf(),
  };
  const { screen } = await open("/mypage", { answers, user: guardian });
  await screen.getByRole("link", { name: "木下 葵さん" }).click();
  await expect.element(screen.getByRole("heading", { name: "木下 葵さんの学習" })).toBeVisible();
  await expect.element(screen.getByText("学習済み 9 / 18レッスン")).toBeVisible();
  await expect.element(screen.getByText(/2027年3月31日\(水\)まで/)).toBeVisible();
});

test("a guardian ends a link after a confirmation", async () => {
  let children = [aoi];
  const answers: Answers = {
    [CHILDREN]: () => ({ results: children }),
    [OVERVIEW]: () => overviewOf(),
    "DELETE accounts/guardian/links/{id}/": () => {
      children = [];
      return done();
    },
  };
  const { screen } = await open(`/mypage/child/${CHILD}`, { answers, user: guardian });
  await screen.getByRole("button", { name: "木下 葵さんとのつながりを解除する" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "解除する" }).click();
  await expect.element(screen.getByText(/まだつながっていません/)).toBeVisible();
});

test("a guardian withdraws consent after a confirmation", async () => {
  let state: Child["guardian_consent"] = "given";
  const answers: Answers = {
    [OVERVIEW]: () => overviewOf(),
    [CHILDREN]: () => ({ results: [{ ...aoi, guardian_consent: state }] }),
    "DELETE accounts/guardian/children/{id}/consent/": () => {
      state = "missing";
      return done();
    },
  };
  const { screen } = await open(`/mypage/child/${CHILD}`, { answers, user: guardian });
  await expect.element(screen.getByText(/保護者の方が同意しています。/)).toBeVisible();
  await screen.getByRole("button", { name: "同意を取り消す" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "取り消す" }).click();
  await expect
    .element(screen.getByText(/^保護者の方の同意がないため、お子さまは購入できません。/))
    .toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "同意を取り消す" }))
    .not.toBeInTheDocument();
  expect(alertStore.get().blueMessage).toBe("同意を取り消しました。");
});

test("consent is not shown for a child who is of age", async () => {
  const answers: Answers = {
    [OVERVIEW]: () => overviewOf(),
    [CHILDREN]: () => ({
      results: [{ ...aoi, guardian_consent: "not_needed" }],
    }),
  };
  const { screen } = await open(`/mypage/child/${CHILD}`, { answers, user: guardian });
  await expect
    .element(screen.getByRole("button", { name: "木下 葵さんとのつながりを解除する" }))
    .toBeVisible();
  await expect
    .element(screen.getByRole("heading", { name: "保護者の同意" }))
    .not.toBeInTheDocument();
});

test("another guardian's child is not found", async () => {
  const { screen } = await open(`/mypage/child/${CHILD}`, { user: guardian });
  await expect.element(screen.getByText("not found")).toBeVisible();
});

test("after the child ended the link, what was loaded is gone at the next look", async () => {
  let isLinked = true;
  const answers: Answers = {
    [OVERVIEW]: () => (isLinked ? overviewOf() : problem(404, "NOT_FOUND")),
    [CHILDREN]: () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () => progressOf(),
  };
  const { screen } = await open(`/mypage/child/${CHILD}`, { answers, user: guardian });
  await expect.element(screen.getByText("この7日間：70分")).toBeVisible();
  await screen.getByRole("link", { name: "← マイページにもどる" }).click();
  await expect.element(screen.getByRole("link", { name: "木下 葵さん" })).toBeVisible();
  isLinked = false;
  await screen.getByRole("link", { name: "木下 葵さん" }).click();
  await expect.element(screen.getByText("not found")).toBeVisible();
  await expect.element(screen.getByText("この7日間：70分")).not.toBeInTheDocument();
});
