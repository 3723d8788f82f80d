import type { Confirmation } from "../api";

/** Whether the order contains a subscription, which renews automatically. */
export function hasSubscription({ document }: Pick<Confirmation, "document">): boolean {
  return document.lines.some(({ kind }) => kind === "subscription");
}
