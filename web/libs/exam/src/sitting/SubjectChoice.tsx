import { paths } from "@konomana/paths";
import { Badge, ButtonLink, Group, Panel, Stack, Text, TextLink, Title } from "@konomana/ui-base";
import type { Exam, PaperState } from "../api";
import { ExtraTimeNote } from "../application/ExtraTimeNote";
import { timeOf } from "../application/extraTime";

interface SubjectChoiceProps {
  exam: Exam;
  papers: readonly PaperState[];
  /** Percentage of each paper's minutes; 100 is without extra time. */
  timePercent: number;
}

/** The choice of the next subject. */
export function SubjectChoice({ exam, papers, timePercent }: SubjectChoiceProps) {
  const isDone = papers.every(({ state }) => state === "handed_in");
  return (
    <Stack gap="lg">
      <header>
        <TextLink to={paths.mockExam(exam.id)}>← {exam.name}のページにもどる</TextLink>
        <Title order={1} size="h3" mt="xs">
          教科を選ぶ
        </Title>
      </header>
      <Text>
        {isDone
          ? "すべての教科を提出しました。"
          : "1教科ずつ受けます。好きな順番で受けられます。始める前に、教科ごとの説明が出ます。"}
      </Text>
      <ExtraTimeNote percent={timePercent} />
      <Stack as="ul" gap="sm">
        {papers.map(({ paper_id, subject, minutes, state }) => (
          <Panel key={paper_id} as="li">
            <Group justify="space-between">
              <div>
                <Title order={2} size="h5">
                  {subject}
                </Title>
                <Text size="sm" dimmed>
                  {timeOf(minutes, timePercent)}
                </Text>
              </div>
              {state === "handed_in" ? (
                <Group gap="sm">
                  <Badge color="teal" size="lg">
                    提出済み
                  </Badge>
                  <TextLink to={paths.examHandedIn(exam.id, paper_id)}>提出した答え</TextLink>
                </Group>
              ) : (
                <ButtonLink
                  to={paths.examSitting(exam.id, { paper: paper_id })}
                  aria-label={`${subject}を選ぶ`}
                >
                  選ぶ
                </ButtonLink>
              )}
            </Group>
          </Panel>
        ))}
      </Stack>
      {isDone && (
        <Group actions>
          <ButtonLink to={paths.examDone(exam.id)}>次へ</ButtonLink>
        </Group>
      )}
    </Stack>
  );
}
