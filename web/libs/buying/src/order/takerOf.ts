import type { Product } from "@konomana/cart";

/**
 * The label of the learner of a product: the candidate of an exam, or the student of anything else.
 */
export function takerOf(kind: Product["kind"]): string {
  return kind === "exam_seat" ? "受験する方" : "受講する方";
}
