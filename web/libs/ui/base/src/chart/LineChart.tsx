import { type ReactNode, useId } from "react";
import { type FigureRow, Figures } from "./Figures";
import { Stack } from "../layout/Stack";
import styles from "./chart.module.css";

/** One point with its row of the table. */
export interface LinePoint extends FigureRow {
  /** The height of the point, from 0 to 1. */
  readonly share: number;
}

interface LineChartProps {
  /** The caption of the chart. */
  caption: ReactNode;
  /** The column heads of the table; the first is for the labels. */
  columns: readonly [string, ...string[]];
  /** The points from left to right. */
  points: readonly LinePoint[];
}

/** The height of the plot in pixels. */
const HEIGHT = 140;

/**
 * A line chart of shares from 0 % to 100 %, with the same figures as a table that opens on demand,
 * for people who can't see the chart. Horizontal positions are percentages, so that the chart fits
 * every width.
 */
export function LineChart({ caption, columns, points }: LineChartProps) {
  const id = useId();
  const at = (index: number) =>
    points.length === 1 ? "50%" : `${(index / (points.length - 1)) * 100}%`;
  return (
    <Stack as="figure" gap="sm" aria-labelledby={id}>
      <figcaption id={id} className="kn-bold">
        {caption}
      </figcaption>
      <div className={styles.plot} aria-hidden="true">
        <div className={styles.scale}>
          <span>100%</span>
          <span>50%</span>
          <span>0%</span>
        </div>
        <svg className={styles.picture} width="100%" height={HEIGHT}>
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              className={styles.grid}
              x1="0"
              x2="100%"
              y1={height(share)}
              y2={height(share)}
            />
          ))}
          {points.slice(1).map((point, index) => (
            <line
              key={point.label}
              className={styles.line}
              x1={at(index)}
              y1={height(points[index]?.share ?? 0)}
              x2={at(index + 1)}
              y2={height(point.share)}
            />
          ))}
          {points.map(({ label, share }, index) => (
            <circle key={label} className={styles.point} cx={at(index)} cy={height(share)} r="5" />
          ))}
        </svg>
        <div className={styles.ends}>
          <span>{points[0]?.label}</span>
          {points.length > 1 && <span>{points.at(-1)?.label}</span>}
        </div>
      </div>
      <details>
        <summary className="kn-fold kn-accent">表で見る</summary>
        <Figures columns={columns} rows={points} />
      </details>
    </Stack>
  );
}

/** The distance of a share from the top of the plot in pixels; the share is clamped to 0 to 1. */
function height(share: number): number {
  return (1 - Math.min(1, Math.max(0, share))) * HEIGHT;
}
