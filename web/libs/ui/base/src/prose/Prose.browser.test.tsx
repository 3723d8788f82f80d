import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Prose } from "./Prose";

test("a text becomes headings, lists and links, and never other HTML", async () => {
  const text = "## 持ちもの\n- 鉛筆\n\n[講座](/course)と<img src=x onerror=alert(1)>を。";
  const { container } = await render(
    <MemoryRouter>
      <Prose text={text} level={3} />
    </MemoryRouter>,
  );
  await expect.element(page.getByRole("heading", { level: 3, name: "持ちもの" })).toBeVisible();
  await expect.element(page.getByRole("listitem")).toHaveTextContent("鉛筆");
  await expect.element(page.getByRole("link", { name: "講座" })).toHaveAttribute("href", "/course");
  expect(container.querySelector("img")).toBeNull();
  expect(container.textContent).toContain("講座と<img src=x onerror=alert(1)>を。");
});
