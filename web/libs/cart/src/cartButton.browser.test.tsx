import { sessionStore } from "@konomana/session";
import { learner, problem } from "@konomana/testing";
import { alertStore } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { AccountCount } from "./AccountCount";
import { cartQuery } from "./api/cartQuery";
import { CartButton } from "./CartButton";
import { answerCalls, cartOf, emptyBrowser, lineOf, productOf, show } from "./cartTesting";
import { visitorCart } from "./visitorCart";

const CART = "GET commerce/cart/";
const JOIN = "POST commerce/cart/join/";
const ADD = "POST commerce/cart/line/";

beforeEach(emptyBrowser);

/** Shows the cart query, with a button that refetches it. */
function Asking() {
  const { data, isError, refetch } = useQuery(cartQuery);
  return (
    <>
      <p>{isError ? "失敗" : data?.lines.map(({ product }) => product.id).join()}</p>
      <button type="button" onClick={() => void refetch()}>
        もう一度
      </button>
    </>
  );
}

test("a visitor's cart joins the account's once at the sign-in and is cleared", async () => {
  visitorCart.add(1105);
  visitorCart.add(1101);
  const joined = cartOf([lineOf(productOf(1101)), lineOf(productOf(1105))]);
  const calls = answerCalls({ [JOIN]: () => joined, [CART]: () => joined });
  await show(<Asking />);
  await expect.element(page.getByText("1101,1105")).toBeVisible();
  expect(calls).toEqual([{ call: JOIN, body: { products: [1105, 1101] } }]);
  expect(localStorage.getItem("konomana.cart")).toBeNull();
  await page.getByRole("button").click();
  await expect.poll(() => calls.map(({ call }) => call)).toEqual([JOIN, CART]);
});

test("a join that fails loses nothing: the next attempt sends the same products", async () => {
  visitorCart.add(1105);
  let down = true;
  const calls = answerCalls({
    [JOIN]: () => (down ? problem(502, "UPSTREAM_UNAVAILABLE") : cartOf([lineOf(productOf())])),
  });
  await show(<Asking />);
  await expect.element(page.getByText("失敗")).toBeVisible();
  expect(visitorCart.get()).toEqual([1105]);
  down = false;
  await page.getByRole("button").click();
  await expect.element(page.getByText("1105")).toBeVisible();
  expect(calls.map(({ body }) => body)).toEqual([{ products: [1105] }, { products: [1105] }]);
  expect(visitorCart.get()).toEqual([]);
});

test("a product added during the join is kept for the next join", async () => {
  visitorCart.add(1105);
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof cartOf>>();
  const calls = answerCalls({ [JOIN]: () => promise });
  await show(<Asking />);
  await expect.poll(() => calls).toHaveLength(1);
  visitorCart.add(1101);
  resolve(cartOf([lineOf(productOf())]));
  await expect.element(page.getByText("1105")).toBeVisible();
  expect(visitorCart.get()).toEqual([1101]);
});

test("a guardian without a child keeps the visitor's cart in the browser", async () => {
  visitorCart.add(1105);
  const calls = answerCalls({
    [JOIN]: () => problem(409, "NO_LEARNER"),
    [CART]: () => cartOf([], { learners: [] }),
  });
  await show(<Asking />);
  await expect.poll(() => calls.map(({ call }) => call)).toEqual([JOIN, CART]);
  expect(visitorCart.get()).toEqual([1105]);
});

test("products that do not fit into a full cart are reported", async () => {
  visitorCart.add(1199);
  const full = Array.from({ length: 20 }, (_, index) => lineOf(productOf(1101 + index)));
  answerCalls({ [JOIN]: () => cartOf(full) });
  await show(<Asking />);
  await expect.element(page.getByText(/選んだ講座のうち1件は入りませんでした/)).toBeVisible();
});

test("a visitor's button leads to the cart once the course is in it, and keeps the focus", async () => {
  const calls = answerCalls({});
  await show(<CartButton product={1105} />, null);
  await page.getByRole("button", { name: "カートに入れる" }).click();
  const link = page.getByRole("link", { name: "カートに入っています。カートを見る" });
  await expect.element(link).toHaveAttribute("href", "/cart");
  await expect.element(link).toHaveFocus();
  expect(visitorCart.get()).toEqual([1105]);
  expect(calls).toEqual([]);
});

test("a button pressed before the session is known adds to the cart of the account", async () => {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof cartOf>>();
  const calls = answerCalls({ [CART]: () => promise, [ADD]: () => cartOf([lineOf(productOf())]) });
  await show(<CartButton product={1105} />, null);
  const button = page.getByRole("button", { name: "カートに入れる" });
  const pressed = button.element() as HTMLElement;
  sessionStore.signIn(learner);
  await expect.poll(() => calls.map(({ call }) => call)).toEqual([CART]);
  pressed.click();
  await expect.element(button).toHaveAttribute("aria-disabled", "true");
  resolve(cartOf());
  await expect.element(page.getByRole("link", { name: /^カートに入っています/ })).toHaveFocus();
  expect(calls.at(-1)).toEqual({ call: ADD, body: { product: 1105, learner: null } });
});

test("a visitor's product stays shown as in the cart while it joins the account's", async () => {
  answerCalls({ [JOIN]: () => cartOf([lineOf(productOf())]) });
  await show(<CartButton product={1105} />, null);
  await page.getByRole("button", { name: "カートに入れる" }).click();
  const link = page.getByRole("link", { name: /^カートに入っています/ });
  await expect.element(link).toHaveFocus();
  const first = link.element();
  sessionStore.signIn(learner);
  await expect.poll(() => visitorCart.get()).toEqual([]);
  await expect.element(link).toHaveFocus();
  expect(link.element()).toBe(first);
});

test("a full visitor's cart shows a message", async () => {
  for (let id = 1; id <= 20; id++) visitorCart.add(id);
  await show(<CartButton product={1105} />, null);
  await page.getByRole("button", { name: "カートに入れる" }).click();
  await expect.element(page.getByText(/カートに入れられるのは20件までです/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "カートに入れる" })).toBeVisible();
});

test("an account's button adds for the first learner, and the header counts it", async () => {
  const calls = answerCalls({
    [CART]: () => cartOf(),
    [ADD]: () => cartOf([lineOf(productOf())]),
  });
  await show(
    <>
      <AccountCount />
      <CartButton compact product={1105} name="中3数学" />
    </>,
  );
  await page.getByRole("button", { name: "カートに入れる（中3数学）" }).click();
  const link = page.getByRole("link", { name: /カートを見る（中3数学）$/ });
  await expect.element(link).toHaveFocus();
  await expect.element(page.getByText("1件")).toBeVisible();
  expect(calls.at(-1)).toEqual({ call: ADD, body: { product: 1105, learner: null } });
  expect(alertStore.get().blueMessage).toBe("カートに入れました。");
});

test("a course that can't be added is not shown as in the cart, and the reason is shown", async () => {
  answerCalls({ [CART]: () => cartOf(), [ADD]: () => problem(409, "CART_FULL") });
  await show(<CartButton product={1105} />);
  await page.getByRole("button", { name: "カートに入れる" }).click();
  await expect
    .element(page.getByText(/^カートに入れられませんでした。カートに入れられるのは20件まで/))
    .toBeVisible();
  await expect.element(page.getByRole("button", { name: "カートに入れる" })).toBeVisible();
});

test("a bought course links to its learning page, an expired one is sold again", async () => {
  answerCalls({ [CART]: () => cartOf() });
  await show(
    <>
      <CartButton compact product={1101} name="英語" owned={7} />
      <CartButton compact product={1105} name="数学" again />
    </>,
  );
  await expect
    .element(page.getByRole("link", { name: "購入済み：学習する（英語）" }))
    .toHaveAttribute("href", "/mypage/learnning/7");
  await expect
    .element(page.getByRole("button", { name: "もう一度購入する（カートに入れる）（数学）" }))
    .toBeVisible();
});

test("staff have no cart", async () => {
  const calls = answerCalls({});
  await show(<CartButton product={1105} />, { ...learner, scope: ["staff:support"] });
  await vi.waitFor(() => expect(calls).toEqual([]));
  await expect.element(page.getByRole("button")).not.toBeInTheDocument();
});
