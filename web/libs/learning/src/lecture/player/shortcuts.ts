import { isComposing } from "@konomana/browser";

/** Commands of keyboard shortcuts in the player. */
export type Command =
  | { do: "toggle" | "mute" | "fullscreen" | "captions" | "note" | "help" }
  | { do: "leap"; seconds: number }
  | { do: "volume"; by: number }
  | { do: "speed"; steps: number }
  | { do: "jump"; tenths: number };

/** The fields of a keyboard event that are used. */
type Key = Pick<
  KeyboardEvent,
  "key" | "altKey" | "ctrlKey" | "metaKey" | "isComposing" | "keyCode" | "defaultPrevented"
>;

const commands: Readonly<Record<string, Command>> = {
  " ": { do: "toggle" },
  k: { do: "toggle" },
  j: { do: "leap", seconds: -10 },
  l: { do: "leap", seconds: 10 },
  ArrowLeft: { do: "leap", seconds: -5 },
  ArrowRight: { do: "leap", seconds: 5 },
  ArrowUp: { do: "volume", by: 0.05 },
  ArrowDown: { do: "volume", by: -0.05 },
  m: { do: "mute" },
  f: { do: "fullscreen" },
  c: { do: "captions" },
  ",": { do: "speed", steps: -1 },
  ".": { do: "speed", steps: 1 },
  n: { do: "note" },
  "?": { do: "help" },
};

/** The shortcuts with their descriptions, for the help. */
export const keyHelp = [
  ["スペース、K", "再生・一時停止"],
  ["J、L", "10秒もどる・進む"],
  ["←、→", "5秒もどる・進む"],
  ["↑、↓", "音量を上げる・下げる"],
  ["M", "音を消す・出す"],
  ["F", "全画面にする・もどす"],
  ["C", "字幕を出す・消す"],
  [",、.", "遅くする・速くする"],
  ["0〜9", "全体の0〜90％の位置へ移動"],
  ["N", "ノートを書く"],
  ["?", "この一覧"],
] as const;

/** The command of a key; null if it has none or belongs to an input method. */
export function commandOf(event: Key): Command | null {
  // Browsers that end the composition before its last key report key code 229 for that key.
  if (isComposing(event) || event.defaultPrevented) return null;
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  if (/^\d$/.test(event.key)) return { do: "jump", tenths: Number(event.key) };
  return commands[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? null;
}

/** Whether a key is a letter, a digit or a sign; space is not. */
export function isLetter({ key }: Pick<KeyboardEvent, "key">): boolean {
  return key.length === 1 && key !== " ";
}

/** Fields for text. */
const FIELDS =
  "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]";
/** Elements on which space and arrow keys have a meaning of their own. */
const OWN_KEYS = "button, a, summary, input[type=checkbox], input[type=radio], [role=tab]";

/**
 * Whether a key is a shortcut at its target: not in a text field, and not where it has another
 * meaning.
 */
export function isForPlayer({ key, target }: Pick<KeyboardEvent, "key" | "target">): boolean {
  if (!(target instanceof Element)) return true;
  if (target.closest(FIELDS) !== null || document.querySelector("dialog:modal") !== null)
    return false;
  if (key === " ") return target.closest(OWN_KEYS) === null;
  return !(key.startsWith("Arrow") && target.closest("[role=tab], input[type=radio]") !== null);
}
