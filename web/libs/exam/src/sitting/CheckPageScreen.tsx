import { useStore } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { ConfirmButton, QueryBoundary } from "@konomana/query";
import {
  ChipLinks,
  formatDuration,
  Group,
  Head,
  LoadingState,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
} from "@konomana/ui-base";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Navigate, useParams, useSearchParams } from "react-router";
import { runningSheetQuery } from "./outage/sheetCopy";
import type { SittingSession } from "./protocol/SittingSession";
import type { ExamQuestion } from "./protocol/sittingTypes";
import { SittingState } from "./questions/SittingState";
import { useReadingAids } from "./reading/readingAids";
import { SittingGate } from "./SittingGate";

/**
 * /mypage/mockexam/{id}/exam/checkpage: the unanswered and flagged questions, before a paper is
 * handed in.
 */
export function CheckPageScreen() {
  const exam = Number(useParams()["id"]);
  const [search] = useSearchParams();
  const query = useQuery(runningSheetQuery(exam));
  return (
    <>
      <Head title="提出前の確認" />
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="12rem" />}>
        {({ papers }) => {
          const running = papers.find(({ state }) => state === "running");
          const named = papers.find(({ paper_id }) => paper_id === Number(search.get("paper")));
          const paper = running ?? named;
          if (paper?.state === "running")
            return (
              <SittingGate exam={exam} paper={paper.paper_id}>
                {(session) => <Check exam={exam} session={session} />}
              </SittingGate>
            );
          const to =
            paper?.state === "handed_in"
              ? paths.examHandedIn(exam, paper.paper_id)
              : paths.examSitting(exam);
          return <Navigate to={to} replace />;
        }}
      </QueryBoundary>
    </>
  );
}

function Check({ exam, session }: { exam: number; session: SittingSession }) {
  useReadingAids();
  const { sitting, entries, unsent } = useStore(session.state);
  const { paper_id, paper } = sitting;
  const { questions, subject } = paper;
  const blank = questions.filter(({ id }) => entries.get(id)?.answer == null);
  const flagged = questions.filter(({ id }) => entries.get(id)?.isFlagged);
  const handingIn = useMutation({ mutationFn: () => session.handIn() });
  return (
    <Stack gap="lg">
      <SittingState session={session} />
      <header>
        <TextLink to={paths.examSitting(exam, { paper: paper_id })}>← 問題にもどる</TextLink>
        <Title order={1} size="h3" mt="xs">
          {subject}の提出前の確認
        </Title>
      </header>
      <Text>
        {questions.length}問中{questions.length - blank.length}問に答えました。
        {unsent > 0 && `サーバーに届いていない答えが${unsent}問あります。提出の前に送ります。`}
      </Text>
      <Questions title="答えていない問題" exam={exam} paper={paper_id} questions={blank} />
      <Questions title="あとで見直す問題" exam={exam} paper={paper_id} questions={flagged} />
      <Text size="sm" dimmed>
        画面から離れた時間：{formatDuration(session.awaySeconds)}
        （問題ごとに見ていた時間といっしょに記録し、結果のページで見られます。判定には使いません。）
      </Text>
      <Group actions justify="flex-end">
        <ConfirmButton
          label="提出する"
          title={`${subject}を提出しますか？`}
          yes="提出する"
          doing={handingIn}
        >
          {blank.length > 0 && `答えていない問題が${blank.length}問あります。`}
          提出すると、答えを変えられません。
        </ConfirmButton>
      </Group>
    </Stack>
  );
}

interface QuestionsProps {
  title: string;
  exam: number;
  paper: number;
  questions: readonly ExamQuestion[];
}

function Questions({ title, exam, paper, questions }: QuestionsProps) {
  return (
    <Panel as="section" gap="sm" aria-label={title}>
      <Title order={2} size="h5">
        {title}（{questions.length}問）
      </Title>
      {questions.length === 0 ? (
        <Text dimmed>ありません。</Text>
      ) : (
        <ChipLinks
          label={title}
          chips={questions.map(({ number }) => ({
            to: paths.examSitting(exam, { paper, question: number }),
            label: `問題${number}`,
            chosen: false,
          }))}
        />
      )}
    </Panel>
  );
}
