import type { HandoutKind } from "../api";

/** Display names of the kinds of hand-outs. */
export const handoutNames: Readonly<Record<HandoutKind, string>> = {
  textbook: "テキスト",
  whiteboard: "板書",
};
