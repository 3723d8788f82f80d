import { type ReactNode, useId } from "react";
import { Stack } from "../layout/Stack";
import styles from "./chart.module.css";
import { type FigureRow, Figures } from "./Figures";

/** One bar with its row of the table. */
export interface Bar extends FigureRow {
  /** The length of the bar, from 0 to 1. */
  readonly share: number;
  /** The label at the end of the bar, e.g. 79.1%. */
  readonly shown: string;
}

interface BarChartProps {
  /** The caption of the chart. */
  caption: ReactNode;
  /** The column heads of the table; the first is for the labels. */
  columns: readonly [string, ...string[]];
  bars: readonly Bar[];
}

/** The height of a bar with its label, in pixels. */
const ROW = 64;

/**
 * Bars with the same figures as a table, for people who can't see the chart. Lengths are
 * percentages and text has a fixed size, so that the chart fits every width.
 */
export function BarChart({ caption, columns, bars }: BarChartProps) {
  const id = useId();
  return (
    <Stack as="figure" aria-labelledby={id}>
      <figcaption id={id} className="kn-bold">
        {caption}
      </figcaption>
      <svg className={styles.picture} width="100%" height={bars.length * ROW} aria-hidden="true">
        {bars.map(({ label, share, shown }, index) => (
          <g key={label} transform={`translate(0 ${index * ROW})`}>
            <text y="22">{label}</text>
            <text className={styles.shown} x="100%" y="22" textAnchor="end">
              {shown}
            </text>
            <rect className={styles.track} y="32" width="100%" height="18" rx="9" />
            <rect className={styles.bar} y="32" width={percent(share)} height="18" rx="9" />
          </g>
        ))}
      </svg>
      <Figures columns={columns} rows={bars} />
    </Stack>
  );
}

/** A share as a percentage, clamped to 0 % to 100 %. */
function percent(share: number): string {
  return `${Math.min(1, Math.max(0, share)) * 100}%`;
}
