import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { Group, Lines, LoadingState, Text, TextLink, TitledPanel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { applicationsQuery } from "./api/examApplications";
import type { ListedApplication } from "./api/examCardTypes";
import { formatDeadline, formatPeriod } from "./data/times";
import { stageNames } from "./data/stageNames";

/** The number of exams on my page. */
const SHOWN = 2;

/**
 * The learner's next exams with their next step, and the exams open for application. Renders
 * nothing if there are none. If they can't be loaded, it says so.
 */
export function MyExams() {
  const query = useQuery({ ...applicationsQuery, select: listNextExams });
  // A retry after a failure is pending too, and keeps the panel.
  const isFirstLoad = query.isPending && query.errorUpdateCount === 0;
  if (isFirstLoad || query.data?.length === 0) return null;
  return (
    <TitledPanel title="コノ模試" aside={<TextLink to={paths.mockExams()}>すべて見る</TextLink>}>
      <QueryBoundary part query={query} loading={<LoadingState rows={SHOWN} height="3rem" />}>
        {(applications) => (
          <Lines>
            {applications.map((application) => (
              <Row key={application.exam.id} application={application} />
            ))}
          </Lines>
        )}
      </QueryBoundary>
    </TitledPanel>
  );
}

const isMine = ({ state, stage }: ListedApplication) => state === "mine" && stage !== "handed_in";
const isOpen = ({ state }: ListedApplication) => state === "open";

function listNextExams(all: readonly ListedApplication[]): ListedApplication[] {
  return [...all.filter(isMine), ...all.filter(isOpen)].slice(0, SHOWN);
}

function Row({ application: { exam, stage, has_seat } }: { application: ListedApplication }) {
  return (
    <Group as="li" gap="sm" justify="space-between">
      <div>
        <TextLink strong to={paths.mockExam(exam.id)}>
          {exam.name}
        </TextLink>
        <Text size="sm" dimmed>
          {formatPeriod(exam.starts_at, exam.ends_at)}
        </Text>
      </div>
      <Text size="sm" bold>
        {has_seat
          ? `次は：${stageNames[stage]}`
          : `申込は${formatDeadline(exam.application_closes_at)}まで`}
      </Text>
    </Group>
  );
}
