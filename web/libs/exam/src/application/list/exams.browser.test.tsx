import { applicationOf, inDays } from "@konomana/exam-card/testing";
import { problem } from "@konomana/testing";
import { expect, test } from "vitest";
import { faultsOnAPhone, open } from "../../examTesting";

const PATH = "/mypage/mockexam";
const LIST = "GET exam/application/";

test("exams are grouped by their next action, and each links to its sheet", async () => {
  const { screen } = await open(PATH, {
    answers: {
      [LIST]: () => ({
        results: [
          applicationOf({ stage: "desired_schools" }),
          applicationOf({
            exam: { id: 2, name: "コノ模試 第2回", product_id: 2301, price: 4400 },
            state: "open",
            stage: "seat",
            has_seat: false,
          }),
          applicationOf({
            exam: { id: 3, name: "コノ模試 体験版" },
            state: "past",
            stage: "handed_in",
          }),
          applicationOf({
            exam: { id: 4, name: "コノ模試 プレ", results_at: inDays(-1) },
            state: "past",
            stage: "handed_in",
          }),
        ],
      }),
    },
  });
  const mine = screen.getByRole("region", { name: "受ける模試" });
  await expect.element(mine.getByText("次は：志望校を選ぶ")).toBeVisible();
  await expect
    .element(mine.getByRole("link", { name: "コノ模試 第1回" }))
    .toHaveAttribute("href", "/mypage/mockexam/1");
  const offered = screen.getByRole("region", { name: "申し込める模試" });
  await expect.element(offered.getByText(/4,400円（税込）・申込は/)).toBeVisible();
  const past = screen.getByRole("region", { name: "終わった模試" });
  await expect.element(past.getByText(/^結果は.*までに、マイページに出ます。$/)).toBeVisible();
  await expect.element(past.getByText("結果が出ています。")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("without any exam a link leads to the introduction of the exams", async () => {
  const { screen } = await open(PATH, { answers: { [LIST]: () => ({ results: [] }) } });
  await expect
    .element(screen.getByRole("link", { name: "コノ模試について" }))
    .toHaveAttribute("href", "/konomoshi");
});

test("a list that fails to load can be loaded again", async () => {
  let down = true;
  const { screen } = await open(PATH, {
    answers: { [LIST]: () => (down ? problem(500, "INTERNAL") : { results: [applicationOf()] }) },
  });
  const again = screen.getByRole("button", { name: "もう一度試す" });
  await expect.element(again).toBeVisible();
  down = false;
  await again.click();
  await expect.element(screen.getByRole("link", { name: "コノ模試 第1回" })).toBeVisible();
});
