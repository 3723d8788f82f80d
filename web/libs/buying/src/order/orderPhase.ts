import type { ListedOrder } from "../api";

/**
 * The phase of an order for its buyer. `checking` awaits the provider, `awaiting` awaits the buyer,
 * `part_funded` awaits the rest of a bank transfer.
 */
export type Phase =
  | "checking"
  | "awaiting"
  | "part_funded"
  | "paid"
  | "fulfilled"
  | "part_refunded"
  | "refunded"
  | "expired"
  | "cancelled";

/** The fields of an order that determine its phase. */
type Progress = Pick<ListedOrder, "state"> & { payment: Pick<ListedOrder["payment"], "state"> };

export function phaseOf({ state, payment }: Progress): Phase {
  if (state !== "awaiting_payment") return state;
  if (payment.state === "part_funded") return "part_funded";
  return payment.state === "unknown" ? "checking" : "awaiting";
}

/** Whether the phase may still change without an action here. */
export function isOpen(phase: Phase): boolean {
  return isUnpaid(phase) || phase === "paid";
}

/** Whether the order awaits its payment or the rest of it. */
export function isUnpaid(phase: Phase): boolean {
  return phase === "checking" || phase === "awaiting" || phase === "part_funded";
}

/** Whether the order was paid, even if it was refunded later. */
export function isPaid(phase: Phase): boolean {
  return !isUnpaid(phase) && phase !== "expired" && phase !== "cancelled";
}

interface PhaseName {
  name: string;
  /** Colour of the badge. */
  color: "red" | "blue" | "teal" | "gray";
}

/**
 * The label of an order's phase. An order with only exam seats has other words than one with
 * courses.
 */
export function phaseNameOf(order: Progress & { lines: readonly { kind: Kind }[] }): PhaseName {
  const phase = phaseOf(order);
  if (!isExamsOnly(order)) return phaseNames[phase];
  if (phase === "paid") return { name: "お支払い済み・受験の準備中", color: "blue" };
  return phase === "fulfilled" ? { name: "受験できます", color: "teal" } : phaseNames[phase];
}

type Kind = ListedOrder["lines"][number]["kind"];

/** Whether an order has only exam seats. */
export function isExamsOnly({ lines }: { lines: readonly { kind: Kind }[] }): boolean {
  return lines.length > 0 && lines.every(({ kind }) => kind === "exam_seat");
}

const phaseNames: Readonly<Record<Phase, PhaseName>> = {
  checking: { name: "お支払いを確認中", color: "blue" },
  awaiting: { name: "お支払い待ち", color: "red" },
  part_funded: { name: "残りのお支払い待ち", color: "red" },
  paid: { name: "お支払い済み・受講の準備中", color: "blue" },
  fulfilled: { name: "受講できます", color: "teal" },
  part_refunded: { name: "一部を返金", color: "teal" },
  refunded: { name: "返金済み", color: "gray" },
  expired: { name: "期限切れ", color: "gray" },
  cancelled: { name: "取り消し済み", color: "gray" },
};
