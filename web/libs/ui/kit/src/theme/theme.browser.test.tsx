import { MantineProvider } from "@mantine/core";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "@konomana/ui-base";
import { CheckboxField, PasswordField, TextField } from "../index";
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

/** The declarations of a stylesheet. Vite writes 0.5 as .5. */
function declarations(css: string): Map<string, string> {
  const text = css.replaceAll(/(?<!\d)\.(?=\d)/g, "0.");
  const found = text.matchAll(/(--mantine-[a-z0-9-]+):\s*([^;}]+);/g);
  return new Map([...found].map(([, name = "", value = ""]) => [name, value]));
}

test("variables.css has what Mantine writes for the theme and the kit's stylesheets use", async () => {
  const { container } = await render(
    <MantineProvider theme={theme} forceColorScheme="light" withGlobalClasses={false}>
      <div />
    </MantineProvider>,
  );
  const written = declarations(container.querySelector("style")?.textContent ?? "");
  const sheets = [...document.querySelectorAll<HTMLElement>("style[data-vite-dev-id]")];
  const textOf = (file: RegExp) =>
    sheets
      .filter(({ dataset }) => file.test(dataset["viteDevId"] ?? ""))
      .map(({ textContent }) => textContent)
      .join("");
  const variables = textOf(/\/theme\/variables\.css$/);
  const texts = variables + textOf(/@mantine\/core\/styles\/(?!default)/);
  const used = new Set([...texts.matchAll(/var\((--mantine-[a-z0-9-]+)/g)].map(([, name]) => name));
  const needed = [...written].filter(([name]) => used.has(name));
  // The theme's own colours, which are not Mantine's.
  const ours = new Set(["--mantine-color-error", "--mantine-color-dimmed"]);
  const given = [...declarations(variables)].filter(([name]) => !ours.has(name));
  expect(given.toSorted()).toEqual(needed.toSorted());
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
