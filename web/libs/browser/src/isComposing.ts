/**
 * The key code that browsers report for every key of an input method. In Safari it is the only sign
 * that Enter still belongs to a conversion.
 */
const COMPOSING_KEY = 229;

/** Whether a key belongs to an input method that converts text, e.g. kana to kanji. */
export function isComposing(event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return event.isComposing || event.keyCode === COMPOSING_KEY;
}
