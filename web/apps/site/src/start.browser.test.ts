import { afterEach, expect, test, vi } from "vitest";

/** A page as the prerender builds it: a form, and an announced entry with the source `entry`. */
function buildPage(entry: string) {
  document.head.insertAdjacentHTML(
    "beforeend",
    `<link rel="modulepreload" media="not all" data-entry href="data:text/javascript,${encodeURIComponent(entry)}">`,
  );
  document.body.innerHTML = `<form><input name="q"><button>検索</button></form><button type="button">開く</button>`;
  const [form] = document.forms;
  if (form === undefined) throw new Error("The page has no form.");
  return { form, field: form.elements.namedItem("q") as HTMLInputElement };
}

/** Submits the form. Returns whether the browser would open its address. */
function isSent(form: HTMLFormElement): boolean {
  let sent = false;
  const look = (event: Event) => {
    sent = !event.defaultPrevented;
    event.preventDefault();
  };
  addEventListener("submit", look);
  form.requestSubmit();
  removeEventListener("submit", look);
  return sent;
}

/** Dispatches the events of a started app. */
function bringToLife(): void {
  for (const event of ["hydrated", "alive"]) dispatchEvent(new Event(event));
}

let loaded = 0;

/** Runs the script again. */
function start(): Promise<unknown> {
  loaded += 1;
  return import(/* @vite-ignore */ `./start.ts?${loaded}`);
}

afterEach(() => {
  // A held submission must not navigate away from the tests.
  document.forms[0]?.addEventListener("submit", (event) => event.preventDefault());
  bringToLife();
  document.querySelector("link[data-entry]")?.remove();
  document.body.replaceChildren();
  delete document.documentElement.dataset["scripts"];
});

test("a form is held until the app has started, then submitted once with its values", async () => {
  const { form, field } = buildPage("");
  await start();
  field.value = "解約";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  expect(isSent(form)).toBe(false);
  const sent = vi.fn<(event: Event) => void>((event) => event.preventDefault());
  form.addEventListener("submit", sent);
  // Hydration may reset a field.
  field.value = "";
  bringToLife();
  expect(sent).toHaveBeenCalledOnce();
  expect(field.value).toBe("解約");
});

test("a press before the app has started is repeated afterwards", async () => {
  buildPage("");
  await start();
  const button = document.querySelector<HTMLButtonElement>("button[type=button]");
  button?.click();
  const pressed = vi.fn<() => void>();
  button?.addEventListener("click", pressed);
  bringToLife();
  expect(pressed).toHaveBeenCalledOnce();
});

test("if the app can't start the browser submits forms, and the page shows a notice", async () => {
  const { form } = buildPage(`dispatchEvent(new Event("start-failed"))`);
  await start();
  expect(isSent(form)).toBe(true);
  expect(document.documentElement.dataset["scripts"]).toBe("failed");
});

test("if the app can't be loaded the browser submits forms, and the page shows a notice", async () => {
  const { form } = buildPage(`throw new Error("gone")`);
  await expect(start()).rejects.toThrow("gone");
  expect(isSent(form)).toBe(true);
  expect(document.documentElement.dataset["scripts"]).toBe("failed");
});
