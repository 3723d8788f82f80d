import axe from "axe-core";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { LineChart } from "./LineChart";

const points = [
  { label: "11/1", share: 0.5, cells: ["4問", "2問", "50%"] },
  { label: "11/3", share: 1, cells: ["6問", "6問", "100%"] },
  { label: "11/9", share: 0, cells: ["2問", "0問", "0%"] },
];

async function draw(width: number, shown = points) {
  await page.viewport(width, 700);
  const { container } = await render(
    <main>
      <LineChart
        caption="数学の正答率"
        columns={["日", "答えた", "正解", "正答率"]}
        points={shown}
      />
    </main>,
  );
  return container;
}

/** The middle of each point, from the plot's left and top edges, and the plot's size. */
function places(container: Element) {
  const plot = container.querySelector("svg")?.getBoundingClientRect() ?? new DOMRect();
  const middles = [...container.querySelectorAll("circle")].map((circle) => {
    const box = circle.getBoundingClientRect();
    return [box.left + box.width / 2 - plot.left, box.top + box.height / 2 - plot.top] as const;
  });
  return { plot, middles };
}

test("points go from left to right, at the height of their share", async () => {
  const { plot, middles } = places(await draw(640));
  const expected = [
    [0, plot.height / 2],
    [plot.width / 2, 0],
    [plot.width, plot.height],
  ];
  for (const [index, [x, y] = [0, 0]] of expected.entries()) {
    expect(middles[index]?.[0]).toBeCloseTo(x ?? 0, 0);
    expect(middles[index]?.[1]).toBeCloseTo(y ?? 0, 0);
  }
});

test("a single point is in the middle", async () => {
  const { plot, middles } = places(await draw(640, points.slice(0, 1)));
  expect(middles[0]?.[0]).toBeCloseTo(plot.width / 2, 0);
});

test("the table has the figures of the line", async () => {
  await draw(640);
  const figure = page.getByRole("figure", { name: "数学の正答率" });
  await figure.getByText("表で見る").click();
  await expect.element(page.getByRole("row", { name: "11/3 6問 6問 100%" })).toBeVisible();
});

test("on a narrow phone there is no overflow and no violation", async () => {
  const container = await draw(320);
  expect(document.documentElement.scrollWidth).toBe(320);
  const { violations } = await axe.run(container);
  expect(violations.map(({ id }) => id)).toEqual([]);
});
