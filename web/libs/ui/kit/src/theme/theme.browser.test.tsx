import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "@konomana/ui-base";
import { CheckboxField } from "../fields/CheckboxField";
import { PasswordField } from "../fields/PasswordField";
import { TextField } from "../fields/TextField";
import { KitProvider } from "./KitProvider";
import { breakpoints, theme } from "./theme";

test("spec §9: default theme primary colour red", async () => {
  expect(theme.primaryColor).toBe("red");
  await render(
    <KitProvider>
      <CheckboxField label="お知らせを受け取る" defaultChecked />
    </KitProvider>,
  );
  const box = page.getByRole("checkbox", { name: "お知らせを受け取る" });
  expect(getComputedStyle(box.element()).backgroundColor).toBe("rgb(224, 49, 49)");
});

test("spec §9: breakpoints: xs 600, sm 960, md 1264, lg 1904, xl 2900", () => {
  const pixels = Object.entries(breakpoints).map(([name, value]) => [
    name,
    Number.parseFloat(value) * 16,
  ]);
  expect(Object.fromEntries(pixels)).toEqual({ xs: 600, sm: 960, md: 1264, lg: 1904, xl: 2900 });
});

test("a field is at least 44 px high, and marks no label with an asterisk", async () => {
  await render(
    <KitProvider>
      <TextField label="お名前" required />
    </KitProvider>,
  );
  const field = page.getByRole("textbox", { name: "お名前" }).element();
  expect(field.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
  expect(getComputedStyle(field).fontSize).toBe("16px");
  await expect.element(page.getByText("*")).not.toBeInTheDocument();
});

test("the kit's built-in labels are Japanese", async () => {
  await render(
    <KitProvider>
      <PasswordField purpose="current-password" error="パスワードを入力してください。" />
    </KitProvider>,
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
