import { MemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "../theme/base.css";
import { Button } from "./Button";
import { ButtonLink } from "./ButtonLink";
import { CloseButton } from "./IconButton";

test("a button and a link that looks like one are red and at least 44 px high", async () => {
  await render(
    <MemoryRouter>
      <Button>送る</Button>
      <ButtonLink to="/course">講座を見る</ButtonLink>
      <CloseButton aria-label="閉じる" />
    </MemoryRouter>,
  );
  const [send, course, close] = [
    page.getByRole("button", { name: "送る" }),
    page.getByRole("link", { name: "講座を見る" }),
    page.getByRole("button", { name: "閉じる" }),
  ].map((it) => it.element());
  for (const it of [send, course]) {
    if (it === undefined) throw new Error("The element is not rendered.");
    expect(getComputedStyle(it).backgroundColor).toBe("rgb(224, 49, 49)");
    expect(it.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
  }
  expect(close?.getBoundingClientRect()).toMatchObject({ width: 44, height: 44 });
});

test("a label of two lines has padding above and below", async () => {
  await render(
    <div style={{ width: "7rem" }}>
      <Button fullWidth size="lg">
        <span>退会をやめて、もう一度使う</span>
      </Button>
    </div>,
  );
  const button = page.getByRole("button").element();
  const label = page.getByText("退会をやめて、もう一度使う").element();
  const [outer, inner] = [button.getBoundingClientRect(), label.getBoundingClientRect()];
  expect(inner.height).toBeGreaterThan(40);
  expect(Math.round(inner.top - outer.top)).toBeGreaterThanOrEqual(6);
  expect(Math.round(outer.bottom - inner.bottom)).toBeGreaterThanOrEqual(6);
});

test("a busy button keeps the focus and does nothing", async () => {
  const press = vi.fn<() => void>();
  await render(
    <Button busy onClick={press}>
      送る
    </Button>,
  );
  const button = page.getByRole("button", { name: "送る" });
  (button.element() as HTMLElement).focus();
  (button.element() as HTMLElement).click();
  expect(press).not.toHaveBeenCalled();
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAttribute("aria-disabled", "true");
});
