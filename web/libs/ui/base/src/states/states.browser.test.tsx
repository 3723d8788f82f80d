import axe from "axe-core";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "../theme/base.css";
import { LoadingState } from "./LoadingState";
import { EmptyState, ErrorState, NotFoundContent } from "./states";

function show(screen: ReactNode) {
  const router = createMemoryRouter(
    [
      { path: "/", element: <h1>TOP</h1> },
      { path: "/nowhere", element: screen },
    ],
    { initialEntries: ["/nowhere"] },
  );
  return render(
    <main>
      <RouterProvider router={router} />
    </main>,
  );
}

async function expectNoFault(container: Element) {
  const { violations } = await axe.run(container, {
    rules: { "page-has-heading-one": { enabled: false } },
  });
  expect(violations.map(({ id }) => id)).toEqual([]);
}

test("spec §2: the not-found page shows the text 'not found' and the Japanese text, with a button 'TOPへ' that goes to the site root", async () => {
  const { container } = await show(<NotFoundContent />);
  await expect.element(page.getByRole("heading", { name: "not found" })).toBeVisible();
  await expect
    .element(
      page.getByText(
        "ページがみつかりません。一時的にアクセスできない状況にあるか、移動もしくは削除された可能性があります。",
      ),
    )
    .toBeVisible();
  await expectNoFault(container);
  await page.getByRole("link", { name: "TOPへ" }).click();
  await expect.element(page.getByRole("heading", { name: "TOP" })).toBeVisible();
});

test("an error offers a retry and has a trace id to copy", async () => {
  const retry = vi.fn<() => void>();
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const { container } = await show(
    <ErrorState
      sentence="ただいまつながりにくくなっています。"
      traceId="0af7651916cd43dd8448eb211c80319c"
      onRetry={retry}
    />,
  );
  const alert = page.getByRole("alert").filter({ hasText: "つながりにくくなっています" });
  await expect.element(alert).toBeVisible();
  await expectNoFault(container);
  await page.getByRole("button", { name: "もう一度試す" }).click();
  expect(retry).toHaveBeenCalledOnce();
  await page.getByRole("button", { name: "番号をコピー" }).click();
  expect(copy).toHaveBeenCalledWith("0af7651916cd43dd8448eb211c80319c");
  await expect.element(page.getByText("コピーしました")).toBeVisible();
});

test("an error without a trace id shows none", async () => {
  await show(<ErrorState sentence="表示できませんでした。" traceId="" />);
  await expect.element(page.getByText("お問い合わせ番号")).not.toBeInTheDocument();
});

test("the loading state keeps space for the content", async () => {
  const { container } = await show(<LoadingState rows={3} height={100} />);
  const loading = page.getByRole("status").filter({ hasText: "読み込んでいます" });
  await expect.element(loading).toBeVisible();
  const { height } = loading.element().getBoundingClientRect();
  expect(height).toBeGreaterThan(300);
  await expectNoFault(container);
});

test("an empty list suggests what to do next", async () => {
  const { container } = await show(
    <EmptyState title="まだありません" action={<a href="/">講座をさがす</a>}>
      講座を見つけましょう。
    </EmptyState>,
  );
  await expect.element(page.getByRole("heading", { name: "まだありません" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "講座をさがす" })).toBeVisible();
  await expectNoFault(container);
});
