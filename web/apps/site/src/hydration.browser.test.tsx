import { startTransition } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { App } from "./App";

let root: Root | null = null;
let loaded = 0;

afterEach(() => {
  root?.unmount();
  document.body.replaceChildren();
});

/** Presses as a mouse does: a call of `click` would not count a second one within it. */
function press(button: HTMLButtonElement): void {
  for (const type of ["pointerdown", "pointerup", "click"])
    button.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true }));
}

/** A page with a button, as the server sends it, with the script that begins it; gives what brings it to life. */
async function openPage(onPress: () => void) {
  const app = (
    <App>
      <button type="button" onClick={onPress}>
        開く
      </button>
    </App>
  );
  document.body.innerHTML = `<div id="root">${renderToString(app)}</div>`;
  const [place, button] = [document.getElementById("root"), document.querySelector("button")];
  if (place === null || button === null) throw new Error("The page has no button.");
  loaded += 1;
  await import(/* @vite-ignore */ `./start.ts?hydration${loaded}`);
  const alive = new Promise<void>((resolve) => {
    addEventListener("alive", () => resolve(), { once: true });
  });
  const hydrate = () =>
    startTransition(() => {
      root = hydrateRoot(place, app);
    });
  return { button, hydrate, alive };
}

test("a click that brings the page to life is heard once", async () => {
  const onPress = vi.fn<() => void>();
  const { button, hydrate, alive } = await openPage(onPress);
  hydrate();
  button.dispatchEvent(new PointerEvent("click", { bubbles: true, cancelable: true }));
  await alive;
  expect(onPress).toHaveBeenCalledOnce();
});

test("a press whose beginning brings the page to life is heard once", async () => {
  const onPress = vi.fn<() => void>();
  const { button, hydrate, alive } = await openPage(onPress);
  hydrate();
  press(button);
  await alive;
  expect(onPress).toHaveBeenCalledOnce();
});

test("a press between the page's drawing and its effects is heard once", async () => {
  const onPress = vi.fn<() => void>();
  const { button, hydrate, alive } = await openPage(onPress);
  addEventListener("hydrated", () => press(button), { once: true });
  hydrate();
  await alive;
  expect(onPress).toHaveBeenCalledOnce();
});

test("a press before the page comes to life is heard once", async () => {
  const onPress = vi.fn<() => void>();
  const { button, hydrate, alive } = await openPage(onPress);
  press(button);
  hydrate();
  await alive;
  await vi.waitFor(() => expect(onPress).toHaveBeenCalledOnce());
});
