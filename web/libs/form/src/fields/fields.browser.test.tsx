import { Alerts } from "@konomana/ui-base";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { beforeEach, describe, expect, test } from "vitest";
import { cdp, page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { BirthDateField } from "./BirthDateField";
import { NameFields } from "./NameFields";
import { NewPasswordField } from "./NewPasswordField";
import { SchoolYearField, schoolYearFrom } from "./SchoolYearField";

interface Devtools {
  send: (method: string, parameters: object) => Promise<unknown>;
}

/**
 * Types with the browser's own input method: shows each text in turn, then commits the last one.
 */
async function convert(shown: string[], decided: string): Promise<void> {
  const devtools = cdp() as unknown as Devtools;
  for (const text of shown)
    await devtools.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await devtools.send("Input.insertText", { text: decided });
}

function Names() {
  const form = useForm({
    initialValues: { last_name: "", first_name: "", last_name_kana: "", first_name_kana: "" },
  });
  return (
    <>
      <Alerts />
      <NameFields
        lastName={form.getInputProps("last_name")}
        firstName={form.getInputProps("first_name")}
        lastNameKana={form.getInputProps("last_name_kana")}
        firstNameKana={form.getInputProps("first_name_kana")}
      />
    </>
  );
}

describe("kana of a name", () => {
  const name = page.getByLabelText("姓");
  const kana = page.getByLabelText("セイ（フリガナ）");

  beforeEach(async () => {
    await render(<Names />);
    await name.click();
  });

  test("are the text before its conversion", async () => {
    await convert(["y", "や", "やm", "やま", "やまだ", "山田"], "山田");
    await expect.element(name).toHaveValue("山田");
    await expect.element(kana).toHaveValue("ヤマダ");
  });

  test("of two conversions are joined", async () => {
    await convert(["さ", "佐"], "佐");
    await convert(["とう", "藤"], "藤");
    await expect.element(name).toHaveValue("佐藤");
    await expect.element(kana).toHaveValue("サトウ");
  });

  test("of a name in kana are the name", async () => {
    await name.fill("やまだ");
    await expect.element(kana).toHaveValue("ヤマダ");
  });

  test("are cleared with the name, and filled again with the next", async () => {
    await convert(["さいとう", "斉藤"], "斉藤");
    await name.fill("");
    await expect.element(kana).toHaveValue("");
    await name.click();
    await convert(["やまだ", "山田"], "山田");
    await expect.element(kana).toHaveValue("ヤマダ");
  });

  test("stay if the person has changed them", async () => {
    await convert(["こうだ", "幸田"], "幸田");
    await kana.fill("ユキタ");
    await name.click();
    await userEvent.keyboard("{End}");
    await convert(["もと", "本"], "本");
    await expect.element(kana).toHaveValue("ユキタ");
  });

  test("are not guessed after a part of the name was deleted", async () => {
    await convert(["やまだ", "山田"], "山田");
    await userEvent.keyboard("{Backspace}");
    await convert(["もと", "本"], "本");
    await expect.element(name).toHaveValue("山本");
    await expect.element(kana).toHaveValue("ヤマダ");
  });
});

test("browsers can autofill the name and the birth date", async () => {
  await render(<Names />);
  await expect.element(page.getByLabelText("姓")).toHaveAttribute("autocomplete", "family-name");
  await expect
    .element(page.getByLabelText("名", { exact: true }))
    .toHaveAttribute("autocomplete", "given-name");
});

function Birth() {
  const [birth, setBirth] = useState("");
  const [year, setYear] = useState("");
  return (
    <>
      <Alerts />
      <BirthDateField value={birth} onChange={setBirth} error={birth === "x" ? "x" : undefined} />
      <SchoolYearField birthDate={birth} value={year} onChange={setYear} />
      <p>
        {birth} {year === "" ? "—" : year}
      </p>
    </>
  );
}

describe("birth date and school year", () => {
  const year = page.getByLabelText("学年");
  const thisYear = schoolYearFrom("2012-05-01");

  beforeEach(async () => {
    await render(<Birth />);
    await page.getByRole("group", { name: "生年月日" }).getByLabelText("年").fill("2012");
    await userEvent.keyboard("{Tab}5{Tab}1");
  });

  test("the year is filled while the date is typed with the keyboard", async () => {
    await expect.element(page.getByText("2012-5-1 —")).toBeVisible();
    await expect.element(year).toHaveValue(thisYear);
  });

  test("another year asks for confirmation, and may be kept or taken back", async () => {
    await year.selectOptions("既卒");
    const question = page.getByText("生年月日と学年が一致しません。この内容でよろしいですか？");
    await expect.element(question).toBeVisible();
    await expect.element(page.getByText("2012-5-1 既卒")).toBeVisible();
    await page.getByRole("button", { name: `「${thisYear}」に戻す` }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(year).toHaveValue(thisYear);
  });

  test.each([
    ["年", "bday-year"],
    ["月", "bday-month"],
    ["日", "bday-day"],
  ])("browsers can autofill %s", async (word, name) => {
    const part = page.getByRole("group", { name: "生年月日" }).getByLabelText(word);
    await expect.element(part).toHaveAttribute("autocomplete", name);
  });
});

function Password() {
  const [password, setPassword] = useState("");
  return (
    <>
      <Alerts />
      <NewPasswordField value={password} onChange={setPassword} />
    </>
  );
}

describe("new password", () => {
  const field = page.getByLabelText("パスワード", { exact: true });

  test("shows its rules before anything is typed", async () => {
    await render(<Password />);
    await expect.element(field).toHaveAccessibleDescription(/^10文字以上。.*使えません。$/);
  });

  test("can be shown with the keyboard, and password managers can generate one", async () => {
    await render(<Password />);
    await expect.element(field).toHaveAttribute("autocomplete", "new-password");
    await field.fill("umi-no-mieru-eki-42");
    await userEvent.keyboard("{Tab}{Enter}");
    await expect.element(field).toHaveAttribute("type", "text");
    await userEvent.keyboard("{Enter}");
    await expect.element(field).toHaveAttribute("type", "password");
  });
});
