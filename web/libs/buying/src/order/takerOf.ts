import type { Product } from "@konomana/cart";

/** What the person is called whom a product of this kind is for: an exam is sat, everything else is studied. */
export function takerOf(kind: Product["kind"]): string {
  return kind === "exam_seat" ? "受験する方" : "受講する方";
}
