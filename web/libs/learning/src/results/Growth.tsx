import type { SubjectGrowth } from "../api";
import { LineChart, Grid, Panel } from "@konomana/ui-base";

/** The graded results of each subject by learning day. */
export function Growth({ subjects }: { subjects: readonly SubjectGrowth[] }) {
  return (
    <Grid wideCols={subjects.length > 1 ? 2 : 1} gap="lg">
      {subjects.map(({ subject, points }) => (
        <Panel key={subject}>
          <LineChart
            caption={`${subject}の正答率`}
            columns={["学習した日", "答えた問題", "正解", "正答率"]}
            points={points.map(({ date, right, of }) => {
              const share = of === 0 ? 0 : right / of;
              return {
                label: dayOf(date),
                share,
                cells: [`${of}問`, `${right}問`, `${Math.round(share * 100)}%`],
              };
            })}
          />
        </Panel>
      ))}
    </Grid>
  );
}

/** Formats `2026-11-21` as 11/21, with the year unless it is the current one. */
function dayOf(date: string): string {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  return year === new Date().getFullYear() ? `${month}/${day}` : `${year}/${month}/${day}`;
}
