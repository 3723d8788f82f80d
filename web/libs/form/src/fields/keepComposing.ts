import type { KeyboardEvent } from "react";

/** Enter that ends a Japanese conversion picks the word; it does not send the form. */
export function keepComposing(event: KeyboardEvent): void {
  if (event.key === "Enter" && event.nativeEvent.isComposing) event.preventDefault();
}
