import type { SubscriptionState } from "../api";

/** The label of each subscription state, and the colour of its badge. */
export const stateNames: Readonly<
  Record<SubscriptionState, { name: string; color: "red" | "blue" | "teal" | "gray" }>
> = {
  incomplete: { name: "お申し込みの手続き中", color: "blue" },
  active: { name: "ご利用中", color: "teal" },
  past_due: { name: "お支払いができていません", color: "red" },
  cancel_scheduled: { name: "解約の手続き済み", color: "blue" },
  ended: { name: "終了しました", color: "gray" },
};
