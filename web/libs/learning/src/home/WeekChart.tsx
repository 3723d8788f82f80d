import { Stack } from "@konomana/ui-base";
import type { StudyDay, StudyWeek } from "../api";
import styles from "./WeekChart.module.css";
import { dayInWords, minutesOf, weekdayOf } from "./week";

/** Heights in pixels: above a bar, of the highest bar, below it. */
const ABOVE = 22;
const BARS = 92;
const BELOW = 26;

interface WeekChartProps {
  week: Pick<StudyWeek, "days" | "today">;
  /** Accessible name of the chart. */
  label?: string;
  /** The days whose highest bar fills the chart, so that several charts can be compared. */
  scale?: readonly StudyDay[];
}

/**
 * Minutes by day as bars, and as a table to open. Widths are percentages and text has a fixed size,
 * so that the chart fits every screen.
 */
export function WeekChart({ week, label = "日ごとの学習時間", scale = week.days }: WeekChartProps) {
  const { days, today } = week;
  const highest = Math.max(1, ...scale.map(({ seconds }) => minutesOf(seconds)));
  const width = 100 / days.length;
  return (
    <Stack as="figure" gap="0.25rem" aria-label={label}>
      <svg
        className={styles.bars}
        width="100%"
        height={ABOVE + BARS + BELOW}
        role="img"
        aria-label={days.map((day) => `${dayInWords(day)} ${inMinutes(day)}`).join("、")}
      >
        {days.map((day, index) => {
          const middle = `${(index + 0.5) * width}%`;
          const minutes = minutesOf(day.seconds);
          const height = Math.max(3, (minutes / highest) * BARS);
          return (
            <g key={day.date} data-today={day.date === today || undefined} aria-hidden="true">
              {minutes > 0 && (
                <text className={styles.shown} x={middle} y={ABOVE + BARS - height - 6}>
                  {minutes}
                </text>
              )}
              <rect
                className={minutes > 0 ? styles.bar : styles.none}
                x={`${index * width + width * 0.2}%`}
                y={ABOVE + BARS - height}
                width={`${width * 0.6}%`}
                height={height}
                rx="3"
              />
              <text className={styles.day} x={middle} y={ABOVE + BARS + 19}>
                {day.date === today ? "今日" : weekdayOf(day)}
              </text>
            </g>
          );
        })}
      </svg>
      <details>
        <summary className="kn-fold kn-soft kn-fine">表で見る</summary>
        <table className="kn-table" data-figures>
          <thead>
            <tr>
              <th scope="col">日</th>
              <th scope="col">学習した時間</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.date}>
                <th scope="row">
                  {dayInWords(day)}
                  {day.date === today && "・今日"}
                </th>
                <td>{inMinutes(day)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Stack>
  );
}

function inMinutes({ seconds }: StudyDay): string {
  return `${minutesOf(seconds)}分`;
}
