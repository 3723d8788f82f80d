import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink, Group, Text, TitledPanel } from "@konomana/ui-base";
import type { OrderLine } from "../api";

interface BoughtSeatsProps {
  lines: readonly OrderLine[];
}

/** Links to the exams of bought seats for the learner themselves. For a child, the next step. */
export function BoughtSeats({ lines }: BoughtSeatsProps) {
  const { user } = useSession();
  const seats = lines.filter(({ kind }) => kind === "exam_seat");
  if (seats.length === 0) return null;
  return (
    <TitledPanel gap="md" title="受験の準備">
      {seats.map(({ n, name, exam_id, learner }) =>
        learner.id === user?.id ? (
          <Group key={n} gap="0.5rem 1rem" justify="space-between">
            <Text bold>{name}</Text>
            <ButtonLink
              to={exam_id === null ? paths.mockExams() : paths.mockExam(exam_id)}
              aria-label={`受験の準備を始める（${name}）`}
            >
              受験の準備を始める
            </ButtonLink>
          </Group>
        ) : (
          <Text key={n}>
            {name}：{learner.name}
            さんがログインすると、マイページの「模試」から受験の準備を始められます。
          </Text>
        ),
      )}
    </TitledPanel>
  );
}
