import type { OrderLine } from "../api";

/** Whom a line was ordered for. A learner who has left has no name any more. */
export function learnerOf({ learner: { name } }: Pick<OrderLine, "learner">): string {
  return name === "" ? "退会された方" : `${name}さん`;
}
