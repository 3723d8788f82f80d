import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { PasswordField } from "../fields/fields";
import { Button } from "../kit";
import { breakpoints, theme } from "./theme";
import { UiProvider } from "./UiProvider";

test("spec §9: default theme primary colour red", async () => {
  expect(theme.primaryColor).toBe("red");
  await render(
    <UiProvider>
      <Button>講座を見る</Button>
    </UiProvider>,
  );
  const button = page.getByRole("button", { name: "講座を見る" });
  expect(getComputedStyle(button.element()).backgroundColor).toBe("rgb(224, 49, 49)");
});

test("spec §9: breakpoints: xs 600, sm 960, md 1264, lg 1904, xl 2900", () => {
  const pixels = Object.entries(breakpoints).map(([name, value]) => [
    name,
    Number.parseFloat(value) * 16,
  ]);
  expect(Object.fromEntries(pixels)).toEqual({ xs: 600, sm: 960, md: 1264, lg: 1904, xl: 2900 });
});

test("spec §9: mobile is xs", async () => {
  await render(
    <UiProvider>
      <Button hiddenFrom="xs">モバイルのボタン</Button>
      <Button visibleFrom="xs">それ以外のボタン</Button>
    </UiProvider>,
  );
  await page.viewport(599, 800);
  await expect.element(page.getByText("モバイルのボタン")).toBeVisible();
  await expect.element(page.getByText("それ以外のボタン")).not.toBeVisible();
  await page.viewport(600, 800);
  await expect.element(page.getByText("モバイルのボタン")).not.toBeVisible();
  await expect.element(page.getByText("それ以外のボタン")).toBeVisible();
});

test("a label of two lines has room above and below in its button", async () => {
  await render(
    <UiProvider>
      <div style={{ width: "12rem" }}>
        <Button fullWidth size="lg">
          退会をやめて、もう一度使う
        </Button>
      </div>
    </UiProvider>,
  );
  const button = page.getByRole("button").element();
  const label = button.querySelector(".mantine-Button-label") as HTMLElement;
  const [outer, inner] = [button.getBoundingClientRect(), label.getBoundingClientRect()];
  expect(inner.height).toBeGreaterThan(40);
  expect(Math.round(inner.top - outer.top)).toBeGreaterThanOrEqual(6);
  expect(Math.round(outer.bottom - inner.bottom)).toBeGreaterThanOrEqual(6);
});

test("labels that the kit brings along are Japanese", async () => {
  await render(
    <UiProvider>
      <PasswordField purpose="current-password" error="パスワードを入力してください。" />
    </UiProvider>,
  );
  await expect
    .element(
      page.getByRole("button", { name: "パスワードの表示を切り替える", includeHidden: true }),
    )
    .toBeInTheDocument();
  const field = page.getByLabelText("パスワード", { exact: true });
  await expect.element(field).toHaveAccessibleDescription("パスワードを入力してください。");
  await expect.element(field).toHaveAttribute("autocomplete", "current-password");
});
