import { FailureAlert, QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  ButtonLink,
  EmptyState,
  formatDuration,
  Head,
  LoadingState,
  Note,
  Panel,
  showBlue,
  Stack,
  Text,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { SelectField } from "@konomana/ui-kit";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type PlannedDay, setStudyMinutes, type StudyPlan, studyPlanQuery } from "./studyPlanCalls";
import { dayInWords } from "../home/week";
import { PlannedLessons } from "./PlannedLessons";
import { HOMEWORK_SECONDS, isComplete, isEmpty } from "./planWords";
import { Shortfalls } from "./Shortfalls";

/** The minutes to choose from, as on the server. */
const choices = Array.from({ length: 25 }, (_, step) => step * 5);

/** /mypage/plan: the lessons of the coming two weeks, and the minutes a day. */
export function StudyPlanScreen() {
  return (
    <Stack gap="lg">
      <Head title="学習プラン" />
      <Title order={1} size="h2">
        学習プラン
      </Title>
      <Text>
        まだ見ていないレッスンと宿題を、期限の近いものから順に、毎日に分けました。見られなかった日の分は、自動で次の日からに分けなおします。
      </Text>
      <QueryBoundary
        query={useQuery(studyPlanQuery)}
        loading={<LoadingState rows={4} height="7rem" />}
      >
        {(plan) => (
          <>
            <Minutes plan={plan} />
            <Plan plan={plan} />
          </>
        )}
      </QueryBoundary>
    </Stack>
  );
}

function Minutes({ plan }: { plan: StudyPlan }) {
  const queries = useQueryClient();
  const saving = useMutation({
    // One change after another, so the last one holds.
    scope: { id: "study-minutes" },
    mutationFn: setStudyMinutes,
    onSuccess: () => showBlue("保存しました。"),
    onSettled: () => queries.invalidateQueries({ queryKey: studyPlanQuery.queryKey }),
  });
  const minutes = saving.isPending ? saving.variables : plan.minutes;
  return (
    <Panel gap="sm">
      {saving.isError && (
        <FailureAlert key={saving.submittedAt} error={saving.error} title="保存できませんでした" />
      )}
      <SelectField
        label="1日に学習する時間"
        description="レッスンの長さと、宿題（1つ10分）の合計です。いつでも変えられます。"
        value={String(minutes)}
        data={choices.map((choice) => ({
          value: String(choice),
          label: choice === 0 ? "プランをお休みする" : `${choice}分`,
        }))}
        onChange={({ currentTarget: { value } }) => saving.mutate(Number(value))}
      />
    </Panel>
  );
}

function Plan({ plan }: { plan: StudyPlan }) {
  const { days, later_count, minutes } = plan;
  const [today] = days;
  if (minutes === 0)
    return (
      <EmptyState title="学習プランはお休み中です">
        1日の時間をえらぶと、毎日のレッスンがここに並びます。
      </EmptyState>
    );
  if (isComplete(plan))
    return (
      <>
        {today && !isEmpty(today) && <Day day={today} isToday />}
        <EmptyState
          title="これから見るレッスンはありません"
          action={<ButtonLink to={paths.courses()}>講座をさがす</ButtonLink>}
        >
          講座を始めると、毎日のレッスンがここに並びます。
        </EmptyState>
      </>
    );
  return (
    <>
      <Shortfalls plan={plan} />
      {days.map((day, index) => (
        <Day key={day.date} day={day} isToday={index === 0} />
      ))}
      {later_count > 0 && <Text>このあとも、{later_count}本のレッスンがつづきます。</Text>}
    </>
  );
}

function Day({ day, isToday }: { day: PlannedDay; isToday: boolean }) {
  const left = day.homework.filter(({ is_done }) => !is_done).length * HOMEWORK_SECONDS;
  const seconds = day.lessons.reduce((sum, { seconds_left }) => sum + seconds_left, left);
  return (
    <TitledPanel
      title={`${isToday ? "今日・" : ""}${dayInWords(day)}`}
      aside={seconds > 0 && <Note as="span">{formatDuration(seconds)}</Note>}
    >
      {isEmpty(day) ? (
        <Note>{isToday ? "今日の分は終わりました。" : "この日の予定はありません。"}</Note>
      ) : (
        <PlannedLessons day={day} />
      )}
    </TitledPanel>
  );
}
