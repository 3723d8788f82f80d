import { expect, test } from "vitest";
import { commandOf } from "./shortcuts";

const press = (key: string, more = {}) =>
  commandOf({
    key,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    isComposing: false,
    keyCode: 0,
    defaultPrevented: false,
    ...more,
  });

test.each([
  [" ", { do: "toggle" }],
  ["k", { do: "toggle" }],
  ["K", { do: "toggle" }],
  ["j", { do: "leap", seconds: -10 }],
  ["l", { do: "leap", seconds: 10 }],
  ["ArrowLeft", { do: "leap", seconds: -5 }],
  ["ArrowRight", { do: "leap", seconds: 5 }],
  ["ArrowUp", { do: "volume", by: 0.05 }],
  ["m", { do: "mute" }],
  ["f", { do: "fullscreen" }],
  ["c", { do: "captions" }],
  [",", { do: "speed", steps: -1 }],
  [".", { do: "speed", steps: 1 }],
  ["0", { do: "jump", tenths: 0 }],
  ["9", { do: "jump", tenths: 9 }],
  ["n", { do: "note" }],
  ["?", { do: "help" }],
])("%j does %o", (key, command) => {
  expect(press(key)).toEqual(command);
});

test.each(["x", "Enter", "Tab", "Escape", "１"])("%j does nothing", (key) => {
  expect(press(key)).toBeNull();
});

test.each([
  { ctrlKey: true },
  { metaKey: true },
  { altKey: true },
  { isComposing: true },
  { keyCode: 229 },
  { defaultPrevented: true },
])("with %o a key is not a shortcut", (more) => {
  expect(press("k", more)).toBeNull();
});
