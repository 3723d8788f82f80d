import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { ButtonLink, LoadingState, Text, TextLink, TitledPanel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { type StudyPlan, studyPlanQuery } from "../plan/studyPlanCalls";
import { PlannedLessons } from "../plan/PlannedLessons";
import { formatAdvice, formatShortfall, isComplete, isDone, isEmpty } from "../plan/planWords";
import { minutesOf } from "./week";

/** Today's lessons of the study plan. */
export function TodayPlan() {
  const query = useQuery(studyPlanQuery);
  const minutes = query.data?.minutes ?? 0;
  return (
    <TitledPanel
      title={minutes === 0 ? "今日の学習プラン" : `今日の${minutes}分`}
      aside={
        <TextLink size="sm" to={paths.studyPlan()}>
          2週間のプラン
        </TextLink>
      }
    >
      <QueryBoundary part query={query} loading={<LoadingState rows={3} height="3.25rem" />}>
        {(plan) => (plan.minutes === 0 ? <Off /> : <Today plan={plan} />)}
      </QueryBoundary>
    </TitledPanel>
  );
}

function Off() {
  return (
    <>
      <Text mb="xs">学習プランはお休み中です。</Text>
      <ButtonLink variant="default" to={paths.studyPlan()} fullWidth>
        1日の時間を決める
      </ButtonLink>
    </>
  );
}

function Today({ plan }: { plan: StudyPlan }) {
  const [today] = plan.days;
  const [shortfall] = plan.shortfalls;
  return (
    <>
      {today && !isEmpty(today) && <PlannedLessons day={today} />}
      {(!today || isDone(today)) && <Text>{sayNothingLeft(plan)}</Text>}
      {plan.watched_seconds > 0 && (
        <Text size="sm" dimmed>
          今日は{minutesOf(plan.watched_seconds)}分見ました。
        </Text>
      )}
      {shortfall && (
        <Text size="sm">
          今のペースでは、「{shortfall.course.name}」は{formatShortfall(shortfall)}。
          {formatAdvice(plan)}
        </Text>
      )}
    </>
  );
}

/** What is said when nothing of today is left. */
function sayNothingLeft(plan: StudyPlan): string {
  if (isComplete(plan) && plan.days[0] && isEmpty(plan.days[0]))
    return "これから見るレッスンはありません。";
  if (isComplete(plan)) return "すべてのレッスンを学習しました。おつかれさまでした。";
  return "今日の分は終わりました。おつかれさまでした。";
}
