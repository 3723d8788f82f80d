import { type ReactNode, useId } from "react";
import { Stack } from "../layout/Stack";
import styles from "./chart.module.css";
import { type FigureRow, Figures } from "./Figures";

/** One bar with its row of the table. */
export interface Bar extends FigureRow {
  /** How long the bar is, from 0 to 1. */
  readonly share: number;
  /** What stands at its end, e.g. 79.1%. */
  readonly shown: string;
}

interface BarChartProps {
  /** What the bars show. */
  caption: ReactNode;
  /** The heads of the table's columns; the first is that of the labels. */
  columns: readonly [string, ...string[]];
  bars: readonly Bar[];
}

/** The height of a bar with what is written above it, in pixels. */
const ROW = 64;

/**
 * Bars, and the same figures as a table: who can't see the one reads the other. The bars are lengths in percent and the
 * words keep their size, so that the picture fits every width.
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

/** A share as a length; more than everything is everything. */
function percent(share: number): string {
  return `${Math.min(1, Math.max(0, share)) * 100}%`;
}
