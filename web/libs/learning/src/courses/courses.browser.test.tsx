import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { inventoryOf, itemOf, problem } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { open } from "../testing/learner";

const PATH = "/mypage/course";
const END = "2027-03-31T15:00:00Z";

const named = (id: number, name: string, given: object) =>
  itemOf({ id, course: { ...itemOf().course, id, name }, expire_at: END, ...given });

const link = (query: string) => `https://www.konomana.example/api/lms/inventory/?${query}`;

const card = (name: string) => page.getByRole("listitem").filter({ hasText: name });

test("a course shows its state (new, expired, completed or renewed) and its end", async () => {
  const { screen } = await open(PATH, {
    answers: {
      "GET lms/inventory/": () =>
        inventoryOf(
          named(1, "新しい講座", { is_new: true }),
          named(2, "終わった講座", { is_expired: true, expire_at: "2026-09-30T15:00:00Z" }),
          named(3, "自動の講座", { is_auto_renewal: true }),
          named(4, "修めた講座", { completed_at: "2026-10-01T00:00:00Z", check_count: 3 }),
          named(5, "いつまでもの講座", { expire_at: null }),
        ),
    },
  });
  await expect.element(card("新しい講座")).toMatchTextContent(/新着.*2027年3月31日\(水\)まで/);
  await expect
    .element(card("終わった講座"))
    .toMatchTextContent(/期限切れ.*2026年9月30日\(水\)に終了/);
  await expect
    .element(card("自動の講座"))
    .toMatchTextContent(/自動更新.*2027年3月31日\(水\)のあと自動で更新/);
  await expect.element(card("修めた講座")).toMatchTextContent(/修了.*100%/);
  await expect.element(card("いつまでもの講座")).toMatchTextContent("期限なし");
  await expect.element(card("新しい講座")).not.toMatchTextContent(/期限切れ|自動更新|修了/);
  expect(await pageFaults(screen.container)).toEqual([]);
});

const countsOf = (given: object) => ({ learning: 0, complete: 0, expired: 0, new: 0, ...given });

test("the courses can be filtered by state, which is in the address", async () => {
  const state_counts = countsOf({ learning: 12, new: 1 });
  const { calls } = await open(`${PATH}?page=2`, {
    answers: {
      "GET lms/inventory/": ({ query }) =>
        query.get("state") === "new"
          ? { ...inventoryOf(named(13, "まだ開いていない講座", {})), state_counts }
          : { ...inventoryOf(named(1, "学習中の講座", {})), state_counts },
    },
  });
  const states = page.getByRole("navigation", { name: "講座の状態でしぼりこむ" });
  await expect
    .element(states)
    .toMatchTextContent(/すべて ?13.*学習中 ?12.*修了 ?0.*期限切れ ?0.*新着 ?1/);
  await expect
    .element(states.getByRole("link", { name: /すべて/ }))
    .toHaveAttribute("aria-current", "page");
  await states.getByRole("link", { name: /新着/ }).click();
  await expect.element(card("まだ開いていない講座")).toBeVisible();
  await expect.element(page.getByLabelText("address")).toHaveTextContent(`${PATH}?state=new`);
  expect(calls).toContain("GET lms/inventory/?sort_by_watchhistory=true&state=new&page=1");
});

test("a state without courses leads back to all of them", async () => {
  await open(`${PATH}?state=complete`, {
    answers: { "GET lms/inventory/": () => ({ ...inventoryOf(), state_counts: countsOf({}) }) },
  });
  await expect
    .element(page.getByRole("heading", { name: "「修了」の講座はありません" }))
    .toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "すべての所有講座を見る" }))
    .toHaveAttribute("href", PATH);
});

test("an expired item of a course that was bought again is shown on its card", async () => {
  const former = [{ id: 9, expire_at: "2026-09-30T15:00:00Z" }];
  await open(PATH, {
    answers: { "GET lms/inventory/": () => inventoryOf(named(1, "二度目の講座", { former })) },
  });
  await expect
    .element(card("二度目の講座"))
    .toMatchTextContent(/2026年9月30日\(水\)に終了した期間の記録/);
});

test("a learner without courses is led to the catalogue", async () => {
  await open(PATH, { answers: { "GET lms/inventory/": () => inventoryOf() } });
  await expect.element(page.getByRole("heading", { name: "まだ講座がありません" })).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "講座をさがす" }))
    .toHaveAttribute("href", "/course");
});

test("spec §4: Inventory paging moves to the previous or next page through the next and previous links", async () => {
  const { calls } = await open(PATH, {
    answers: {
      "GET lms/inventory/": ({ query }) =>
        query.get("page") === "2"
          ? {
              ...inventoryOf(named(13, "二ページ目の講座", {})),
              count: 13,
              current_page: 2,
              max_page: 2,
              previous: link("page=1&by=server"),
            }
          : {
              ...inventoryOf(named(1, "一ページ目の講座", {})),
              count: 13,
              max_page: 2,
              next: link("page=2&by=server"),
            },
    },
  });
  await page.getByRole("button", { name: "次へ" }).click();
  await expect.element(card("二ページ目の講座")).toBeVisible();
  await expect.element(page.getByText("2 / 2ページ")).toBeVisible();
  expect(calls).toContain("GET lms/inventory/?page=2&by=server");
  await expect
    .element(page.getByRole("button", { name: "次へ" }))
    .toHaveAttribute("aria-disabled", "true");
  await page.getByRole("button", { name: "前へ" }).click();
  await expect.element(card("一ページ目の講座")).toBeVisible();
});

test("a failed list shows the reason, and can be retried", async () => {
  let broken = true;
  await open(PATH, {
    answers: {
      "GET lms/inventory/": () =>
        broken ? problem(502, "UPSTREAM_UNAVAILABLE") : inventoryOf(itemOf()),
    },
  });
  await expect.element(page.getByText(/ただいまつながりにくくなっています。/)).toBeVisible();
  broken = false;
  await page.getByRole("button", { name: "もう一度試す" }).click();
  await expect.element(card("中1英語 be動詞")).toBeVisible();
});
