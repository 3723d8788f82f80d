import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "../theme/base.css";
import { CoverLink } from "./CoverLink";
import { Grid } from "./Grid";
import { Group } from "./Group";
import { Panel } from "./Panel";

const boxOf = (text: string) => page.getByText(text).element().getBoundingClientRect();

test("spec §9: mobile is xs: below 600 px each action is as wide as the line", async () => {
  await render(
    <Group actions>
      <span>つづける</span>
      <span>やめる</span>
    </Group>,
  );
  await page.viewport(599, 800);
  expect(boxOf("やめる").top).toBeGreaterThan(boxOf("つづける").top);
  await page.viewport(600, 800);
  expect(boxOf("やめる").top).toBe(boxOf("つづける").top);
});

test("spec §9: sm is 960: from there on a wide window has its columns", async () => {
  await render(
    <Grid wideCols={2}>
      <span>左</span>
      <span>右</span>
    </Grid>,
  );
  await page.viewport(959, 800);
  expect(boxOf("右").top).toBeGreaterThan(boxOf("左").top);
  await page.viewport(960, 800);
  expect(boxOf("右").top).toBe(boxOf("左").top);
});

test("a link in a panel covers the panel, and its focus ring surrounds it", async () => {
  await render(
    <MemoryRouter>
      <Panel pad="2rem">
        <CoverLink to="/course">講座</CoverLink>
      </Panel>
    </MemoryRouter>,
  );
  const link = page.getByRole("link", { name: "講座" }).element() as HTMLElement;
  const panel = link.parentElement?.getBoundingClientRect();
  expect(document.elementFromPoint((panel?.right ?? 0) - 8, (panel?.bottom ?? 0) - 8)).toBe(link);
  link.focus();
  expect(getComputedStyle(link, "::after").outlineStyle).toBe("solid");
});
