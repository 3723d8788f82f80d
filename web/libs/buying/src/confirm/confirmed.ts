import type { Confirmation } from "../api";

/** Whether something is bought that renews itself. */
export function hasSubscription({ document }: Pick<Confirmation, "document">): boolean {
  return document.lines.some(({ kind }) => kind === "subscription");
}
