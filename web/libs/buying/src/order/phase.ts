import type { ListedOrder } from "../api";

/**
 * Where an order is, for those who wait for it: `checking` awaits the provider's answer, `awaiting` the buyer,
 * `part_funded` the rest of a bank transfer.
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

/** The part of an order that tells its phase. */
type Progress = Pick<ListedOrder, "state"> & { payment: Pick<ListedOrder["payment"], "state"> };

export function phaseOf({ state, payment }: Progress): Phase {
  if (state !== "awaiting_payment") return state;
  if (payment.state === "part_funded") return "part_funded";
  return payment.state === "unknown" ? "checking" : "awaiting";
}

/** Whether the phase may still change by itself. */
export function isOpen(phase: Phase): boolean {
  return isUnpaid(phase) || phase === "paid";
}

/** Whether the order waits for its payment, or for the rest of it. */
export function isUnpaid(phase: Phase): boolean {
  return phase === "checking" || phase === "awaiting" || phase === "part_funded";
}

/** Whether the order was paid, whatever went back later. */
export function isPaid(phase: Phase): boolean {
  return !isUnpaid(phase) && phase !== "expired" && phase !== "cancelled";
}

interface PhaseName {
  name: string;
  /** Of its badge. */
  color: "red" | "blue" | "teal" | "gray";
}

/** The phase of an order in a word or two. Of an order of exam seats alone, nothing is watched. */
export function phaseNameOf(order: Progress & { lines: readonly { kind: Kind }[] }): PhaseName {
  const phase = phaseOf(order);
  if (!isExamsOnly(order)) return phaseNames[phase];
  if (phase === "paid") return { name: "お支払い済み・受験の準備中", color: "blue" };
  return phase === "fulfilled" ? { name: "受験できます", color: "teal" } : phaseNames[phase];
}

type Kind = ListedOrder["lines"][number]["kind"];

/** Whether an order has exam seats and nothing else. */
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
