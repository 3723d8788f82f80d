import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "../theme/base.css";
import { Pager } from "./Pager";

function show(current: number, pages: number) {
  const router = createMemoryRouter([
    {
      path: "/",
      element: <Pager page={current} pages={pages} hrefFor={(number) => `/?page=${number}`} />,
    },
  ]);
  return render(<RouterProvider router={router} />);
}

test("the current page is marked, its neighbours are links", async () => {
  await show(2, 3);
  await expect
    .element(page.getByRole("link", { name: "2ページ" }))
    .toHaveAttribute("aria-current", "page");
  await expect
    .element(page.getByRole("link", { name: "前へ" }))
    .toHaveAttribute("href", "/?page=1");
  await expect
    .element(page.getByRole("link", { name: "次へ" }))
    .toHaveAttribute("href", "/?page=3");
});

test("the first page has no previous link, the last page has no next link", async () => {
  await show(1, 2);
  await expect.element(page.getByRole("link", { name: "前へ" })).not.toBeInTheDocument();
  await show(2, 2);
  await expect.element(page.getByRole("link", { name: "次へ" }).nth(1)).not.toBeInTheDocument();
});

test("a list with one page has no pager", async () => {
  await show(1, 1);
  await expect.element(page.getByRole("navigation")).not.toBeInTheDocument();
});
