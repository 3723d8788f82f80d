import { isComposing } from "@konomana/browser";
import type { KeyboardEvent } from "react";

/** Enter that ends a Japanese conversion commits the text; it must not submit the form. */
export function keepComposing(event: KeyboardEvent) {
  if (event.key === "Enter" && isComposing(event.nativeEvent)) event.preventDefault();
}
