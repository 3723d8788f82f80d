import type { ListedOrder } from "../api";

/** Where an order is, for those who wait for it: `checking` awaits the provider's answer, `awaiting` the buyer. */
export type Phase =
  | "checking"
  | "awaiting"
  | "paid"
  | "fulfilled"
  | "expired"
  | "cancelled"
  | "part_refunded"
  | "refunded";

/** The part of an order that tells its phase. */
type Progress = Pick<ListedOrder, "state"> & { payment: Pick<ListedOrder["payment"], "state"> };

export function phaseOf({ state, payment }: Progress): Phase {
  if (state !== "awaiting_payment") return state;
  return payment.state === "unknown" ? "checking" : "awaiting";
}

/** Whether the phase may still change by itself. */
export function isOpen(phase: Phase): boolean {
  return phase === "checking" || phase === "awaiting" || phase === "paid";
}

/** A phase in a word or two, and the colour of its badge. */
export const phaseNames: Readonly<
  Record<Phase, { name: string; color: "red" | "blue" | "teal" | "gray" }>
> = {
  checking: { name: "お支払いを確認中", color: "blue" },
  awaiting: { name: "お支払い待ち", color: "red" },
  paid: { name: "お支払い済み・受講の準備中", color: "blue" },
  fulfilled: { name: "受講できます", color: "teal" },
  expired: { name: "期限切れ", color: "gray" },
  cancelled: { name: "取り消し済み", color: "gray" },
  part_refunded: { name: "一部を返金", color: "teal" },
  refunded: { name: "返金済み", color: "gray" },
};
