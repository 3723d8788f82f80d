import { beforeEach, describe, expect, test } from "vitest";
import { cdp, page, userEvent } from "vitest/browser";
import { open, says } from "./questionTesting";

/** Chromium's developer tools protocol, which simulates the input method. */
interface Devtools {
  send: (method: string, params: object) => Promise<unknown>;
}

/**
 * Dispatches Enter as a browser does; true if its default action, to submit the form, is not
 * prevented.
 */
const enter = (field: Element, init: KeyboardEventInit) =>
  field.dispatchEvent(
    new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init }),
  );

function press(init: KeyboardEventInit): void {
  document.body.dispatchEvent(
    new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }),
  );
}

beforeEach(async () => {
  sessionStorage.clear();
  await page.viewport(1280, 900);
});

describe("with the keyboard alone", () => {
  test("digits choose, Enter sends, N goes on", async () => {
    const { screen, sent } = await open("/lecture/7/question/71", {
      "POST lms/question/71/answer/": says({}),
    });
    await expect.element(screen.getByRole("radio").first()).toBeVisible();
    await userEvent.keyboard("3");
    await expect.element(screen.getByRole("radio").nth(2)).toBeChecked();
    await userEvent.keyboard("2");
    await expect.element(screen.getByRole("radio").nth(1)).toBeChecked();
    await userEvent.keyboard("9n{Enter}");
    await expect.element(screen.getByRole("heading", { name: "正解です" })).toBeVisible();
    expect(sent()).toHaveLength(1);
    await userEvent.keyboard("n");
    await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("問題 2 / 4");
  });

  test("digits toggle choices if several may be chosen", async () => {
    const { screen } = await open("/lecture/7/question/72");
    await expect.element(screen.getByRole("checkbox").first()).toBeVisible();
    await userEvent.keyboard("131");
    await expect.element(screen.getByRole("checkbox").nth(0)).not.toBeChecked();
    await expect.element(screen.getByRole("checkbox").nth(2)).toBeChecked();
  });

  test("keys are letters in a field", async () => {
    const { screen, sent } = await open("/lecture/7/question/74");
    const field = screen.getByLabelText("答え");
    await field.click();
    await userEvent.keyboard("n1");
    await expect.element(field).toHaveValue("n1");
    expect(sent()).toEqual([]);
  });

  test("shortcuts except Enter can be switched off, and on again", async () => {
    const { screen } = await open("/lecture/7/question/71");
    await screen.getByRole("button", { name: "文字と数字のキーを使わない" }).click();
    await userEvent.keyboard("1");
    await screen.getByRole("button", { name: "文字と数字のキーを使う" }).click();
    await expect.element(screen.getByRole("radio").first()).not.toBeChecked();
    await userEvent.keyboard("1");
    await expect.element(screen.getByRole("radio").first()).toBeChecked();
  });

  test("keys with a modifier belong to the browser", async () => {
    const { screen } = await open("/lecture/7/question/71");
    await expect.element(screen.getByRole("radio").first()).toBeVisible();
    await userEvent.keyboard("{Control>}1{/Control}");
    await expect.element(screen.getByRole("radio").first()).not.toBeChecked();
  });
});

describe("a Japanese input method", () => {
  const devtools = cdp() as unknown as Devtools;

  test("Enter that ends a conversion sends nothing, the next Enter does", async () => {
    const { screen, sent } = await open("/lecture/7/question/74", {
      "POST lms/question/74/answer/": says({ given: { text: "判別式" }, key: { text: "判別式" } }),
    });
    const field = screen.getByLabelText("答え");
    await field.click();
    await devtools.send("Input.imeSetComposition", {
      text: "判別式",
      selectionStart: 3,
      selectionEnd: 3,
    });
    await expect.element(field).toHaveValue("判別式");
    await devtools.send("Input.dispatchKeyEvent", { type: "keyDown", key: "Enter", text: "\r" });
    await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", key: "Enter" });
    expect(sent()).toEqual([]);
    await devtools.send("Input.insertText", { text: "判別式" });
    expect(sent()).toEqual([]);
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByRole("heading", { name: "正解です" })).toBeVisible();
    expect(sent().map(({ body }) => body)).toEqual([{ answer: { text: "判別式" }, result: null }]);
  });

  test("Enter that Safari reports after the conversion sends nothing either", async () => {
    const { screen, sent } = await open("/lecture/7/question/74");
    const field = screen.getByLabelText("答え");
    await field.fill("判別式");
    expect(enter(field.element(), { keyCode: 229 })).toBe(false);
    expect(sent()).toEqual([]);
  });

  test.each([{ isComposing: true }, { keyCode: 229 }])(
    "a digit of a conversion chooses nothing (%j)",
    async (sign) => {
      const { screen } = await open("/lecture/7/question/71");
      const second = screen.getByRole("radio").nth(1);
      await expect.element(second).toBeVisible();
      press({ key: "2", ...sign });
      await expect.element(second).not.toBeChecked();
      press({ key: "2" });
      await expect.element(second).toBeChecked();
    },
  );
});
