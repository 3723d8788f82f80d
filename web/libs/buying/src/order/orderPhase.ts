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

/** The label of an order's phase, in the words of its contents. */
export function phaseNameOf(order: Progress & Contents): PhaseName {
  const phase = phaseOf(order);
  const { preparation, granted } = wordsOf(order);
  if (phase === "paid") return { name: `お支払い済み・${preparation}の準備中`, color: "blue" };
  return phase === "fulfilled" ? { name: granted, color: "teal" } : phaseNames[phase];
}

interface Contents {
  lines: readonly { kind: ListedOrder["lines"][number]["kind"] }[];
}

/** What a paid order gives access to, in words. */
interface Words {
  /** What is prepared after the payment. */
  preparation: string;
  /** The label of an order with access. */
  granted: string;
  /** The event that access begins. */
  begins: string;
}

const courseWords: Words = {
  preparation: "受講",
  granted: "受講できます",
  begins: "講座をご利用いただけます",
};
const examWords: Words = {
  preparation: "受験",
  granted: "受験できます",
  begins: "受験の準備を始められます",
};
/** The order of a past month keeps its label, so it states no current access. */
const subscriptionWords: Words = {
  preparation: "ご利用",
  granted: "お支払い済み",
  begins: "月額サービスのご利用期間が始まりました",
};

/** The words of an order: those of courses, unless it has only exam seats or monthly services. */
export function wordsOf(order: Contents): Words {
  if (isOnly(order, "subscription")) return subscriptionWords;
  return isExamsOnly(order) ? examWords : courseWords;
}

/** Whether an order has only exam seats. */
export function isExamsOnly(order: Contents): boolean {
  return isOnly(order, "exam_seat");
}

function isOnly({ lines }: Contents, only: Contents["lines"][number]["kind"]): boolean {
  return lines.length > 0 && lines.every(({ kind }) => kind === only);
}

/** The labels of the phases that do not depend on the contents. */
const phaseNames: Readonly<Record<Exclude<Phase, "paid" | "fulfilled">, PhaseName>> = {
  checking: { name: "お支払いを確認中", color: "blue" },
  awaiting: { name: "お支払い待ち", color: "red" },
  part_funded: { name: "残りのお支払い待ち", color: "red" },
  part_refunded: { name: "一部を返金", color: "teal" },
  refunded: { name: "返金済み", color: "gray" },
  expired: { name: "期限切れ", color: "gray" },
  cancelled: { name: "取り消し済み", color: "gray" },
};
