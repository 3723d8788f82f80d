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

/** A phase in a word or two, and the colour of its badge. */
export const phaseNames: Readonly<
  Record<Phase, { name: string; color: "red" | "blue" | "teal" | "gray" }>
> = {
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
