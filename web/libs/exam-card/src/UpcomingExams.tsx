import { useStaleWhileRevalidate } from "@konomana/query";
import { Panel, Stack, Text, Title } from "@konomana/ui-base";
import { examKeys } from "./api/examKeys";
import { loadExams } from "./api/publicExams";
import type { ExamCard } from "./api/examCardTypes";
import { ExamAction } from "./ExamAction";
import { ExamFacts } from "./ExamFacts";

/**
 * The exams that are open for application or still to be taken, soonest first.
 *
 * @param built the exams at build time; the API is asked for newer dates and seats
 */
export function UpcomingExams({ built }: { built: readonly ExamCard[] }) {
  const exams = useStaleWhileRevalidate<readonly ExamCard[]>(examKeys.list, built, loadExams);
  if (exams.length === 0)
    return <Text>次の模試の日程は、決まりしだい、このページとお知らせで発表します。</Text>;
  return (
    <Stack as="ul" gap="lg">
      {exams.map((exam) => (
        <Panel key={exam.id} as="li" variant="raised" gap="md">
          <Title order={3}>{exam.name}</Title>
          <ExamFacts exam={exam} />
          <ExamAction exam={exam} />
        </Panel>
      ))}
    </Stack>
  );
}
