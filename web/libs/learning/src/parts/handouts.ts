import type { HandoutKind } from "../api";

/** What the hand-outs are called. */
export const handoutNames: Readonly<Record<HandoutKind, string>> = {
  textbook: "テキスト",
  whiteboard: "板書",
};
