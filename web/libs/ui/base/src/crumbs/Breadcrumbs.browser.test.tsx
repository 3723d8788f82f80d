import axe from "axe-core";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import "../theme/base.css";
import { Breadcrumbs } from "./Breadcrumbs";

test("the breadcrumbs begin at the front page and end at the page itself, which is not a link", async () => {
  const screen = await render(
    <MemoryRouter>
      <Breadcrumbs
        crumbs={[
          { label: "講師", to: "/teacher" },
          { label: "佐倉みのり", to: "/teacher/1" },
        ]}
      />
    </MemoryRouter>,
  );
  const way = screen.getByRole("navigation", { name: "パンくずリスト" });
  await expect.element(way.getByRole("link", { name: "トップ" })).toHaveAttribute("href", "/");
  await expect.element(way.getByRole("link", { name: "講師" })).toHaveAttribute("href", "/teacher");
  await expect.element(way.getByText("佐倉みのり")).toHaveAttribute("aria-current", "page");
  expect(way.getByRole("link").all()).toHaveLength(2);
  expect((await axe.run(screen.container)).violations).toEqual([]);
});
