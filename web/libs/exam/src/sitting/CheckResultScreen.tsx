import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { type Given, TexText } from "@konomana/question";
import {
  Alert,
  ButtonLink,
  formatDateTime,
  Group,
  Head,
  LoadingState,
  Panel,
  Stack,
  Text,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams, useSearchParams } from "react-router";
import { sheetQuery } from "../api";
import { ReceiptPanel } from "../receipt/ReceiptPanel";
import type { ExamQuestion, Sitting } from "./protocol/sittingTypes";
import { sittingQuery } from "./sittingQuery";

/** /mypage/mockexam/{id}/exam/checkresult: the handed-in answers, their time and their digest. */
export function CheckResultScreen() {
  const exam = Number(useParams()["id"]);
  const [search] = useSearchParams();
  const query = useQuery(sheetQuery(exam));
  return (
    <>
      <Head title="提出した答え" />
      <QueryBoundary query={query} loading={<Loading />}>
        {({ papers }) => {
          const handedIn = papers.filter(({ sitting_id }) => sitting_id !== null);
          const named = Number(search.get("paper"));
          const paper = handedIn.find(({ paper_id }) => paper_id === named) ?? handedIn.at(-1);
          if (!paper?.sitting_id) return <Navigate to={paths.mockExam(exam)} replace />;
          return <HandedIn exam={exam} sitting={paper.sitting_id} />;
        }}
      </QueryBoundary>
    </>
  );
}

function Loading() {
  return <LoadingState rows={2} height="12rem" />;
}

function HandedIn({ exam, sitting }: { exam: number; sitting: string }) {
  const query = useQuery(sittingQuery(sitting));
  return (
    <QueryBoundary query={query} loading={<Loading />}>
      {(found) =>
        found.transcript === null ? (
          <Navigate to={paths.examSitting(exam, { paper: found.paper_id })} replace />
        ) : (
          <Receipt exam={exam} sitting={found} transcript={found.transcript} />
        )
      }
    </QueryBoundary>
  );
}

interface ReceiptProps {
  exam: number;
  sitting: Sitting;
  transcript: NonNullable<Sitting["transcript"]>;
}

function Receipt({ exam, sitting, transcript }: ReceiptProps) {
  const { subject, questions } = sitting.paper;
  const { handed_in_at, sealed_by, digest, answers } = transcript;
  const byId = new Map(questions.map((question) => [question.id, question]));
  return (
    <Stack gap="lg">
      <Title order={1} size="h2">
        {subject}を提出しました
      </Title>
      {sealed_by === "deadline" && (
        <Alert color="blue">時間になったため、そこまでの答えを自動で提出しました。</Alert>
      )}
      <Panel as="section" gap="xs" aria-label="提出の記録">
        <Text>
          <strong>{formatDateTime(handed_in_at)}</strong>に提出
        </Text>
        <Text size="sm" dimmed>
          提出した答えのしるし（ダイジェスト）。答えが1文字でも変わると、このしるしも変わります。
        </Text>
        <code className="kn-code" aria-label="ダイジェスト">
          {digest}
        </code>
        <Text size="sm" dimmed>
          画面から離れた時間：{sitting.away_seconds}秒
        </Text>
      </Panel>
      <ReceiptPanel handedIn={[{ sitting: sitting.id, subject }]} />
      <table className="kn-table">
        <caption>
          <strong>提出した答え</strong>
        </caption>
        <thead>
          <tr>
            <th scope="col">問題</th>
            <th scope="col">あなたの答え</th>
          </tr>
        </thead>
        <tbody>
          {answers.map(({ question_id, number, answer }) => (
            <tr key={question_id}>
              <th scope="row">{number}</th>
              <td>
                <GivenText given={answer} question={byId.get(question_id)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group actions justify="flex-end">
        <ButtonLink to={paths.examDone(exam)} size="lg">
          次へ
        </ButtonLink>
      </Group>
    </Stack>
  );
}

interface GivenTextProps {
  given: Given | null;
  question: ExamQuestion | undefined;
}

/** An answer as text. Choices are shown by their texts. */
function GivenText({ given, question }: GivenTextProps) {
  if (given === null) return <span>（答えていません）</span>;
  if ("choices" in given) {
    const chosen = question?.choices.filter(({ id }) => given.choices.includes(id)) ?? [];
    return <TexText>{chosen.map(({ text }) => text).join("、")}</TexText>;
  }
  return <span>{"number" in given ? given.number : given.text}</span>;
}
