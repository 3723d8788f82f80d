import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { WeekLinks } from "./WeekLinks";

const shown = { monday: "2026-11-30", has_previous: true, has_next: true };

function show(week: typeof shown, loadingDay?: string) {
  const links = <WeekLinks week={week} loadingDay={loadingDay} to={(day) => `/?day=${day}`} />;
  return render(<RouterProvider router={createMemoryRouter([{ path: "/", element: links }])} />);
}

const link = (name: string) => page.getByRole("link", { name });

test.each([
  ["the shown week", undefined, "2026-11-23", "2026-12-07"],
  ["the week that is loading", "2026-12-07", "2026-11-30", "2026-12-14"],
  ["the shown week, if the address has no day", "abc", "2026-11-23", "2026-12-07"],
])("the links start from %s", async (_, loadingDay, before, after) => {
  await show(shown, loadingDay);
  await expect.element(page.getByRole("status")).toHaveTextContent("2026年11月30日(月)からの1週間");
  await expect.element(link("前の週")).toHaveAttribute("href", `/?day=${before}`);
  await expect.element(link("次の週")).toHaveAttribute("href", `/?day=${after}`);
});

test("the first and the last week have no link beyond them", async () => {
  await show({ ...shown, has_previous: false, has_next: false });
  await expect.element(page.getByRole("status")).toBeVisible();
  expect(page.getByRole("link").elements()).toEqual([]);
});
