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

/** Dispatches the events of a mouse press. A second call of `click` within one would be ignored. */
function press(button: HTMLButtonElement): void {
  for (const type of ["pointerdown", "pointerup", "click"])
    button.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true }));
}

/**
 * Opens a page with a button as the server sends it, with its start script. Returns a function that
 * hydrates it.
 */
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

test("a click that triggers hydration is handled once", async () => {
  const onPress = vi.fn<() => void>();
  const { button, hydrate, alive } = await openPage(onPress);
  hydrate();
  button.dispatchEvent(new PointerEvent("click", { bubbles: true, cancelable: true }));
  await alive;
  expect(onPress).toHaveBeenCalledOnce();
});

test("a press whose start triggers hydration is handled once", async () => {
  const onPress = vi.fn<() => void>();
  const { button, hydrate, alive } = await openPage(onPress);
  hydrate();
  press(button);
  await alive;
  expect(onPress).toHaveBeenCalledOnce();
});

test("a press between rendering and effects is handled once", async () => {
  const onPress = vi.fn<() => void>();
  const { button, hydrate, alive } = await openPage(onPress);
  addEventListener("hydrated", () => press(button), { once: true });
  hydrate();
  await alive;
  expect(onPress).toHaveBeenCalledOnce();
});

test("a press before hydration is handled once", async () => {
  const onPress = vi.fn<() => void>();
  const { button, hydrate, alive } = await openPage(onPress);
  press(button);
  hydrate();
  await alive;
  await vi.waitFor(() => expect(onPress).toHaveBeenCalledOnce());
});
