import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { useForm } from "./useForm";

interface Person {
  name: string;
  town: string;
  news: boolean;
}

const onSave = vi.fn<(person: Person) => void>();
const onChange = vi.fn<(person: Person) => void>();

function PersonForm() {
  const form = useForm<Person>({
    initialValues: { name: "", town: "", news: false },
    validate: ({ name }): Record<string, string> =>
      name === "" ? { name: "お名前を入力してください。" } : {},
    validateInputOnBlur: true,
    onValuesChange: onChange,
  });
  const { error, ...name } = form.getInputProps("name");
  const { error: _none, ...town } = form.getInputProps("town");
  const { error: _neither, ...news } = form.getInputProps("news", { type: "checkbox" });
  return (
    <form aria-label="人" onSubmit={form.onSubmit(onSave)}>
      <input aria-label="名前" {...name} />
      <p role="status">{error}</p>
      <input aria-label="町" {...town} />
      <input aria-label="お知らせ" type="checkbox" {...news} />
      <button
        type="button"
        onClick={() => {
          form.setFieldValue("town", "霞が関");
          form.setFieldValue("news", true);
        }}
      >
        両方
      </button>
      <button type="button" onClick={form.reset}>
        消す
      </button>
      <button type="submit">送る</button>
    </form>
  );
}

test("a field is validated when it is left, and its error goes with the next change", async () => {
  await render(<PersonForm />);
  const status = page.getByRole("status");
  await page.getByLabelText("名前").click();
  await userEvent.tab();
  await expect.element(status).toHaveTextContent("お名前を入力してください。");
  await page.getByLabelText("名前").fill("佐倉");
  await expect.element(status).toBeEmptyDOMElement();
});

test("only valid values are saved", async () => {
  await render(<PersonForm />);
  await page.getByRole("button", { name: "送る" }).click();
  await expect.element(page.getByRole("status")).toHaveTextContent("お名前を入力してください。");
  expect(onSave).not.toHaveBeenCalled();
  await page.getByLabelText("名前").fill("佐倉");
  await page.getByLabelText("お知らせ").click();
  await page.getByRole("button", { name: "送る" }).click();
  expect(onSave.mock.lastCall?.[0]).toEqual({ name: "佐倉", town: "", news: true });
});

test("two changes at once are both kept, and a reset takes them back", async () => {
  await render(<PersonForm />);
  await page.getByRole("button", { name: "両方" }).click();
  await expect.element(page.getByLabelText("町")).toHaveValue("霞が関");
  await expect.element(page.getByLabelText("お知らせ")).toBeChecked();
  await page.getByRole("button", { name: "消す" }).click();
  await expect.element(page.getByLabelText("町")).toHaveValue("");
  expect(onChange.mock.lastCall?.[0]).toEqual({ name: "", town: "", news: false });
});
