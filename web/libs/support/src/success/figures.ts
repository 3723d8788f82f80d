import type { SuccessYear } from "../api";
import type { Bar } from "@konomana/ui-base";

type Figure = SuccessYear["figures"][number];

/** Formats a share: 0.7911 is 79.1%. One decimal, rounded half up. */
export function shareInWords(share: number): string {
  return `${(Math.round(share * 1000) / 10).toFixed(1)}%`;
}

const number = new Intl.NumberFormat("ja-JP");

/** A figure as a bar, with its total for the table row. */
export function barOf({ label, count, of, unit }: Figure): Bar {
  const share = of === 0 ? 0 : count / of;
  const shown = of === 0 ? "—" : shareInWords(share);
  const amount = (value: number) => `${number.format(value)}${unit}`;
  return { label, share, shown, cells: [amount(count), amount(of), shown] };
}

/** The schools grouped by kind, in the order of the list. */
export function schoolsByKind(schools: SuccessYear["schools"]): [string, SuccessYear["schools"]][] {
  return [...Map.groupBy(schools, ({ kind }) => kind)];
}
