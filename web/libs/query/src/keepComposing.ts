import type { KeyboardEvent } from "react";

/**
 * The key code that browsers report for every key of an input method. In Safari it is the only sign
 * that Enter still belongs to a conversion.
 */
const COMPOSING_KEY = 229;

/** Enter that ends a Japanese conversion commits the text; it must not submit the form. */
export function keepComposing(event: KeyboardEvent) {
  const composing = event.nativeEvent.isComposing || event.keyCode === COMPOSING_KEY;
  if (event.key === "Enter" && composing) event.preventDefault();
}
