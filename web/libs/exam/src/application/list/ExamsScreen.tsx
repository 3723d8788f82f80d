import {
  applicationsQuery,
  formatDeadline,
  formatPeriod,
  type ListedApplication,
  stageNames,
  useResultsBy,
} from "@konomana/exam-card";
import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  Badge,
  ButtonLink,
  CoverLink,
  EmptyState,
  formatPrice,
  Group,
  Head,
  LoadingState,
  Note,
  Rows,
  Stack,
  Text,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";

const sections = [
  { state: "mine", title: "受ける模試", empty: "申し込んだ模試は、ここに並びます。" },
  { state: "open", title: "申し込める模試", empty: "いま申し込める模試はありません。" },
  { state: "past", title: "終わった模試", empty: "終わった模試は、ここに並びます。" },
] as const;

/** /mypage/mockexam: the learner's exams, the exams open for application, and the past exams. */
export function ExamsScreen() {
  const query = useQuery(applicationsQuery);
  return (
    <>
      <Head title="模試" />
      <Title order={1} size="h2" mb="lg">
        模試
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={3} height="6rem" />}>
        {(all) => (all.length === 0 ? <NoExam /> : <Sections all={all} />)}
      </QueryBoundary>
    </>
  );
}

function NoExam() {
  return (
    <EmptyState
      title="まだ模試はありません"
      action={<ButtonLink to={paths.konomoshi()}>コノ模試について</ButtonLink>}
    >
      次の模試の日程が決まると、ここから申し込めます。
    </EmptyState>
  );
}

function Sections({ all }: { all: readonly ListedApplication[] }) {
  return (
    <Stack gap="xl">
      {sections.map((section) => (
        <Section
          key={section.state}
          {...section}
          applications={all.filter(({ state }) => state === section.state)}
        />
      ))}
    </Stack>
  );
}

interface SectionProps {
  title: string;
  empty: string;
  applications: readonly ListedApplication[];
}

function Section({ title, empty, applications }: SectionProps) {
  const id = useId();
  return (
    <Stack as="section" gap="sm" aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {applications.length === 0 ? (
        <Text dimmed>{empty}</Text>
      ) : (
        <Rows>
          {applications.map((application) => (
            <Row key={application.exam.id} application={application} />
          ))}
        </Rows>
      )}
    </Stack>
  );
}

function Row({ application }: { application: ListedApplication }) {
  const { exam, state, stage } = application;
  const resultsBy = useResultsBy(exam.results_at);
  return (
    <Group as="li" gap="0.25rem 1rem" justify="space-between">
      <div>
        <CoverLink to={paths.mockExam(exam.id)}>{exam.name}</CoverLink>
        <Note>{formatPeriod(exam.starts_at, exam.ends_at)}</Note>
        <Note>
          {state === "open"
            ? `${priceOf(exam)}・申込は${formatDeadline(exam.application_closes_at)}まで`
            : `${exam.school_year}・${exam.subjects.join("・")}`}
        </Note>
        {stage === "handed_in" && <Note>{resultsBy}</Note>}
      </div>
      <StateBadge application={application} />
    </Group>
  );
}

function priceOf({ product_id, price }: ListedApplication["exam"]): string {
  if (product_id === null) return "無料";
  return price === null ? "有料" : formatPrice(price);
}

function StateBadge({
  application: { state, stage, has_seat },
}: {
  application: ListedApplication;
}) {
  if (stage === "handed_in")
    return (
      <Badge color="teal" size="lg">
        提出済み
      </Badge>
    );
  if (state === "mine")
    return (
      <Badge color="red" size="lg">
        次は：{stageNames[stage]}
      </Badge>
    );
  if (state === "open")
    return (
      <Badge color="blue" variant="outline" size="lg">
        申し込み受付中
      </Badge>
    );
  return (
    <Badge color="gray" variant="outline" size="lg">
      {has_seat ? "受けませんでした" : "終了"}
    </Badge>
  );
}
