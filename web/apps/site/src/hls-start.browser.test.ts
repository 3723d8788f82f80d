import { afterEach, beforeEach, expect, test, vi } from "vitest";

let loaded = 0;

/** Runs the script, as a newly opened page does. */
function run() {
  loaded += 1;
  return import(/* @vite-ignore */ `./hls-start.ts?${loaded}`);
}

/** The link that announces hls.js. */
let link: HTMLLinkElement;

beforeEach(() => {
  link = document.createElement("link");
  Object.assign(link, { rel: "modulepreload", href: "data:text/javascript,", media: "not all" });
  link.dataset["hls"] = "";
  document.head.prepend(link);
});

afterEach(() => {
  link.remove();
  vi.unstubAllGlobals();
});

test("hls.js loads with the page", async () => {
  await run();
  expect(link.media).toBe("");
  expect(document.head.lastElementChild).toBe(link);
});

test("browsers of Apple don't load hls.js", async () => {
  vi.stubGlobal("WebKitPlaybackTargetAvailabilityEvent", Event);
  await run();
  expect(link.media).toBe("not all");
});
