import { formatYen } from "@konomana/ui-base";

/** Formats a discount in yen with a minus sign: `−2,475円`. */
export function formatDiscount(yen: number): string {
  return `−${formatYen(yen)}`;
}
