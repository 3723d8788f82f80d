import { weekQuery, type StudyWeek } from "../api";
import { QueryBoundary } from "@konomana/query";
import { LoadingState, Text, Group, TitledPanel, Note } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { WeekChart } from "./WeekChart";
import { minutesOf } from "./week";

/** The time watched on each of the last seven days, and the streak of days. */
export function Week() {
  return (
    <TitledPanel title="この7日間">
      <QueryBoundary
        part
        query={useQuery(weekQuery)}
        loading={<LoadingState rows={1} height="15.5rem" />}
      >
        {(week) => <Days week={week} />}
      </QueryBoundary>
    </TitledPanel>
  );
}

function Days({ week }: { week: StudyWeek }) {
  const seconds = week.days.reduce((sum, day) => sum + day.seconds, 0);
  return (
    <>
      <Group as="dl" gap="0.25rem 2rem" mb="sm">
        <div>
          <Note as="dt">学習した時間</Note>
          <dd>
            <strong className="kn-figure">{minutesOf(seconds)}</strong>
            <Note as="small"> 分</Note>
          </dd>
        </div>
        <div>
          <Note as="dt">つづけて学習</Note>
          <dd>
            <strong className="kn-figure">{week.streak}</strong>
            <Note as="small"> 日</Note>
          </dd>
        </div>
      </Group>
      <WeekChart week={week} />
      <Text size="sm" dimmed>
        {encouragement(week)}
      </Text>
    </>
  );
}

/** An encouragement that depends on today's watching and the streak. */
function encouragement({ days, streak }: StudyWeek): string {
  const today = days.at(-1)?.seconds ?? 0;
  if (today > 0) return "今日も学習できました。";
  return streak > 0
    ? "今日レッスンを見ると、記録がつづきます。"
    : "レッスンを見ると、その日の時間がここに残ります。";
}
