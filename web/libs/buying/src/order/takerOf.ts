import type { Product } from "@konomana/cart";

/**
 * The label of the learner of a product: the candidate of an exam, the user of a monthly service, or
 * the student of a course.
 */
export function takerOf(kind: Product["kind"]): string {
  if (kind === "subscription") return "利用する方";
  return kind === "exam_seat" ? "受験する方" : "受講する方";
}
