import axe from "axe-core";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { BarChart } from "./BarChart";

const bars = [
  { label: "第一志望に合格", share: 0.75, shown: "75.0%", cells: ["150人", "200人"] },
  { label: "志望校のどれかに合格", share: 1.2, shown: "100%", cells: ["200人", "200人"] },
];

async function draw(width: number) {
  await page.viewport(width, 700);
  const { container } = await render(
    <main>
      <BarChart caption="合格の割合" columns={["項目", "人数", "もとの人数"]} bars={bars} />
    </main>,
  );
  return container;
}

test("a bar is as long as its share, and at most 100 %", async () => {
  const container = await draw(640);
  const lengths = [...container.querySelectorAll("rect")].map(
    (rect) => rect.getBoundingClientRect().width,
  );
  const [track = 0, first = 0, , second = 0] = lengths;
  expect(first).toBeCloseTo(track * 0.75, 0);
  expect(second).toBeCloseTo(track, 0);
});

test("the table has the figures of the bars", async () => {
  await draw(640);
  await expect.element(page.getByRole("row", { name: "第一志望に合格 150人 200人" })).toBeVisible();
  await expect.element(page.getByRole("figure", { name: "合格の割合" })).toBeVisible();
});

test("on a narrow phone there is no overlap and no overflow", async () => {
  const container = await draw(320);
  for (const row of container.querySelectorAll("g")) {
    const [label, shown] = [...row.querySelectorAll("text")].map((text) =>
      text.getBoundingClientRect(),
    );
    expect(label?.right ?? Infinity).toBeLessThan(shown?.left ?? 0);
  }
  expect(document.documentElement.scrollWidth).toBe(320);
  const { violations } = await axe.run(container);
  expect(violations.map(({ id }) => id)).toEqual([]);
});
