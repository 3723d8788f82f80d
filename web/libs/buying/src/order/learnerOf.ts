import type { OrderLine } from "../api";

/** The learner's name on a line. A learner who has left has no name. */
export function learnerOf({ learner: { name } }: Pick<OrderLine, "learner">): string {
  return name === "" ? "退会された方" : `${name}さん`;
}
