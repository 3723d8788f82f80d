import { formatYen } from "@konomana/ui-base";

/** Yen that are taken off, with a minus sign: `−2,475円`. */
export function formatDiscount(yen: number): string {
  return `−${formatYen(yen)}`;
}
