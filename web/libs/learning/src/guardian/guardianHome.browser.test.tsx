import type { ErrorCode } from "@konomana/http";
import { type Answers, json, problem } from "@konomana/testing";
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

test("a guardian types the code of a child, who is listed from then on", async () => {
  let children: Child[] = [];
  const codes: unknown[] = [];
  const answers: Answers = {
    [CHILDREN]: () => ({ results: children }),
    "POST accounts/guardian/link/": ({ body }) => {
      codes.push(body);
      children = [aoi];
      return json({ id: CHILD, name: "木下 葵" }, 201);
    },
  };
  const { screen } = await open("/mypage", { answers, user: guardian });
  await expect.element(screen.getByText(/まだつながっていません/)).toBeVisible();
  await expect.element(screen.getByText(/購入に同意したことになります。/)).toBeVisible();
  await screen.getByLabelText("8文字のコード").fill("ｋ７ｗｐ3hrx");
  await screen.getByRole("button", { name: "つながる" }).click();
  await expect.element(screen.getByRole("link", { name: "木下 葵さん" })).toBeVisible();
  expect(codes).toEqual([{ code: "K7WP-3HRX" }]);
  expect(alertStore.get().blueMessage).toBe("木下 葵さんとつながりました。");
  await expect.element(screen.getByLabelText("8文字のコード")).toHaveValue("");
});

test.each<[number, ErrorCode, string | RegExp]>([
  [400, "CODE_WRONG", "コードが正しくないか、使えなくなっています。お子さまにお確かめください。"],
  [409, "GUARDIANS_FULL", "この生徒とつながれる保護者は4人までで、もういっぱいです。"],
  [409, "GUARDIAN_UNDER_18", "保護者になれるのは、18歳以上の方です。生年月日をご確認ください。"],
  [409, "GUARDIAN_MAILBOX", /^このメールアドレスでは、保護者の方の手続きができません。/],
])("%i %s is shown, and the code stays in the field", async (status, code, sentence) => {
  const answers: Answers = {
    [CHILDREN]: () => ({ results: [] }),
    "POST accounts/guardian/link/": () => problem(status, code),
  };
  const { screen } = await open("/mypage", { answers, user: guardian });
  await screen.getByLabelText("8文字のコード").fill("K7WP-3HRX");
  await screen.getByRole("button", { name: "つながる" }).click();
  await expect.element(screen.getByText(sentence).first()).toBeVisible();
  await expect.element(screen.getByLabelText("8文字のコード")).toHaveValue("K7WP-3HRX");
});

test("a guardian sees a summary of the week with a suggestion for a conversation", async () => {
  const answers: Answers = {
    [CHILDREN]: () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () => progressOf(),
  };
  const { screen } = await open("/mypage", { answers, user: guardian });
  const card = screen.getByRole("listitem");
  await expect
    .element(card)
    .toMatchTextContent(/この7日間90分復習する問題0問次のレッスン頂点を求める高1数学/);
  await expect.element(card.getByText(/「おもしろかったのはどこ？」/)).toBeVisible();
  await expect.element(card.getByRole("button")).not.toBeInTheDocument();
});

test("a child without courses has no summary yet", async () => {
  const answers: Answers = {
    [CHILDREN]: () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () => progressOf({ courses: [], next_lesson: null }),
  };
  const { screen } = await open("/mypage", { answers, user: guardian });
  await expect.element(screen.getByText("まだ講座を持っていません。")).toBeVisible();
});

test("a failed summary can be retried, and the card still leads to the child", async () => {
  let broken = true;
  const answers: Answers = {
    [CHILDREN]: () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () =>
      broken ? problem(502, "UPSTREAM_UNAVAILABLE") : progressOf(),
    [OVERVIEW]: () => overviewOf(),
  };
  const { screen } = await open("/mypage", { answers, user: guardian });
  const again = screen.getByRole("button", { name: "もう一度試す" });
  await expect.element(again).toBeVisible();
  broken = false;
  await again.click();
  await expect.element(screen.getByText("頂点を求める")).toBeVisible();
  await screen.getByRole("link", { name: "木下 葵さん" }).click();
  await expect.element(screen.getByRole("heading", { name: "木下 葵さんの学習" })).toBeVisible();
});
