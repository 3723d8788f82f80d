import { useState } from "react";
import { describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import "@konomana/ui-base";
import {
  CheckboxField,
  EmailField,
  PasswordField,
  Radio,
  RadioGroup,
  SelectField,
  TextAreaField,
  TextField,
} from "../index";

const texts = { label: "お名前", description: "全角で。", error: "入力してください。" };

describe("a field has its label, and is described by its error and its description", () => {
  test.each([
    ["text", <TextField key="" {...texts} />, "textbox"],
    ["several lines", <TextAreaField key="" {...texts} />, "textbox"],
    ["a list", <SelectField key="" {...texts} data={["東京都"]} />, "combobox"],
    ["a checkbox", <CheckboxField key="" {...texts} />, "checkbox"],
    [
      "radios",
      <RadioGroup key="" {...texts} onChange={() => {}}>
        <Radio value="a" label="あ" />
      </RadioGroup>,
      "radiogroup",
    ],
  ] as const)("%s", async (_kind, field, role) => {
    await render(field);
    const input = page.getByRole(role, { name: "お名前" });
    await expect.element(input).toHaveAccessibleDescription("入力してください。 全角で。");
    await expect.element(input).toHaveAttribute("aria-invalid", "true");
  });

  test("without them it is neither invalid nor described", async () => {
    await render(<TextField label="お名前" />);
    const input = page.getByRole("textbox", { name: "お名前" });
    await expect.element(input).not.toHaveAttribute("aria-invalid");
    await expect.element(input).not.toHaveAttribute("aria-describedby");
  });
});

test("an error is text in the colour of errors", async () => {
  await render(<TextField {...texts} />);
  const error = page.getByText("入力してください。").element();
  expect(getComputedStyle(error).color).toBe("rgb(201, 42, 42)");
});

test("spec §9: a ticked box is red", async () => {
  await render(<CheckboxField label="お知らせを受け取る" defaultChecked />);
  const box = page.getByRole("checkbox", { name: "お知らせを受け取る" }).element();
  expect(getComputedStyle(box).accentColor).toBe("rgb(224, 49, 49)");
});

test("every field is at least 44 px high in text of 16 px", async () => {
  await render(
    <>
      <TextField label="名前" required />
      <PasswordField purpose="new-password" />
      <SelectField label="都道府県" data={["東京都"]} />
      <TextAreaField label="内容" />
    </>,
  );
  for (const label of ["名前", "パスワード", "都道府県", "内容"]) {
    const field = page.getByLabelText(label, { exact: true }).element();
    expect(field.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
    expect(getComputedStyle(field).fontSize).toBe("16px");
  }
  const toggle = page.getByRole("button", { name: "パスワードの表示を切り替える" }).element();
  expect(toggle.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
});

test("a label of a checkbox and of a radio is a touch target of 44 px", async () => {
  await render(
    <>
      <CheckboxField label="同意する" />
      <RadioGroup label="区分" onChange={() => {}}>
        <Radio value="a" label="生徒" />
      </RadioGroup>
    </>,
  );
  for (const text of ["同意する", "生徒"]) {
    const target = page.getByText(text).element().closest("label");
    expect(target?.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
  }
});

test("a password is shown and hidden with the keyboard, and keeps its text", async () => {
  await render(<PasswordField purpose="current-password" name="password" />);
  const field = page.getByLabelText("パスワード", { exact: true });
  const toggle = page.getByRole("button", { name: "パスワードの表示を切り替える" });
  await expect.element(field).toHaveAttribute("autocomplete", "current-password");
  await field.fill("ひみつ");
  await expect.element(field).toHaveAttribute("type", "password");
  await userEvent.tab();
  await expect.element(toggle).toHaveFocus();
  await userEvent.keyboard(" ");
  await expect.element(field).toHaveAttribute("type", "text");
  await expect.element(toggle).toHaveAttribute("aria-pressed", "true");
  await expect.element(field).toHaveValue("ひみつ");
  await userEvent.keyboard("{Enter}");
  await expect.element(field).toHaveAttribute("type", "password");
});

test("the toggle of a password keeps the focus in the field", async () => {
  await render(<PasswordField purpose="current-password" />);
  const field = page.getByLabelText("パスワード", { exact: true });
  await field.click();
  await page.getByRole("button", { name: "パスワードの表示を切り替える" }).click();
  await expect.element(field).toHaveAttribute("type", "text");
  await expect.element(field).toHaveFocus();
});

/** The contrast of two opaque colours, from 1 to 21. */
function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other]
    .map((colour) => {
      const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const value = Number(part) / 255;
        return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    })
    .toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test("the border of a field has a contrast of 3:1, and its placeholder of 4.5:1", async () => {
  await render(<TextField label="名前" placeholder="木下" />);
  const field = page.getByLabelText("名前").element();
  const { borderTopColor, backgroundColor } = getComputedStyle(field);
  expect(contrastOf(borderTopColor, backgroundColor)).toBeGreaterThanOrEqual(3);
  const { color } = getComputedStyle(field, "::placeholder");
  expect(contrastOf(color, backgroundColor)).toBeGreaterThanOrEqual(4.5);
});

const middle = ({ top, height }: DOMRect) => top + height / 2;

test("the buttons in a field are at the middle of its height", async () => {
  await render(<PasswordField purpose="current-password" />);
  const field = page.getByLabelText("パスワード", { exact: true }).element() as HTMLElement;
  field.style.height = "4rem";
  const toggle = page.getByRole("button", { name: "パスワードの表示を切り替える" }).element();
  expect(middle(toggle.getBoundingClientRect())).toBeCloseTo(
    middle(field.getBoundingClientRect()),
    0,
  );
});

test("a mail field has the matching keyboard and autofill, which a form may change", async () => {
  await render(<EmailField autoComplete="username" />);
  const field = page.getByLabelText("メールアドレス");
  await expect.element(field).toHaveAttribute("inputmode", "email");
  await expect.element(field).toHaveAttribute("autocomplete", "username");
});

function Kinds() {
  const [kind, setKind] = useState("learner");
  return (
    <RadioGroup label="区分" value={kind} onChange={setKind}>
      <Radio value="learner" label="生徒" />
      <Radio value="guardian" label="保護者" description="お子さまの学習を見られます。" />
    </RadioGroup>
  );
}

test("radios of a group are one choice, by click and by arrow keys", async () => {
  await render(<Kinds />);
  const learner = page.getByRole("radio", { name: "生徒" });
  const guardian = page.getByRole("radio", { name: "保護者" });
  await expect.element(learner).toBeChecked();
  await expect.element(guardian).toHaveAccessibleDescription("お子さまの学習を見られます。");
  await guardian.click();
  await expect.element(guardian).toBeChecked();
  await expect.element(learner).not.toBeChecked();
  await userEvent.keyboard("{ArrowUp}");
  await expect.element(learner).toBeChecked();
  await expect.element(learner).toHaveFocus();
});

test("an option is its own label, or has another one", async () => {
  await render(<SelectField label="学年" data={["中1", { value: "", label: "選んでください" }]} />);
  const options = page.getByRole("option").elements() as HTMLOptionElement[];
  expect(options.map(({ value, text }) => [value, text])).toEqual([
    ["中1", "中1"],
    ["", "選んでください"],
  ]);
});
