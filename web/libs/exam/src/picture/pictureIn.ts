import type { Given } from "@konomana/question";

/** The name of an answer's picture, or `null` for another answer. */
export function pictureIn(answer: Given | null): string | null {
  return answer !== null && "picture" in answer ? answer.picture : null;
}
