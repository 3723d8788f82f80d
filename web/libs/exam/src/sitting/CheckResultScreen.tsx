import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { type Given, TexText } from "@konomana/question";
import { useSession } from "@konomana/session";
import {
  Alert,
  ButtonLink,
  formatDateTime,
  formatDuration,
  Group,
  Head,
  LoadingState,
  Note,
  Panel,
  Stack,
  Text,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Navigate, useParams, useSearchParams } from "react-router";
import { answerPicture, sheetQuery } from "../api";
import { PictureView } from "@konomana/picture";
import { ReceiptPanel } from "../receipt/ReceiptPanel";
import { forgetAnswers, forgetRunningExam } from "./outage/deviceCopy";
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
          const isOver = papers.every(({ state }) => state !== "running");
          return <HandedIn exam={exam} sitting={paper.sitting_id} isOver={isOver} />;
        }}
      </QueryBoundary>
    </>
  );
}

function Loading() {
  return <LoadingState rows={2} height="12rem" />;
}

interface HandedInProps {
  exam: number;
  sitting: string;
  /** Whether no paper runs. */
  isOver: boolean;
}

function HandedIn({ exam, sitting, isOver }: HandedInProps) {
  const learner = useSession().user?.id;
  // The job may have handed the paper in while no browser was open.
  useEffect(() => {
    if (learner !== undefined) void forgetAnswers(learner, sitting);
    if (isOver) forgetRunningExam();
  }, [learner, sitting, isOver]);
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

const timeOfDay = new Intl.DateTimeFormat("ja-JP", { timeZone: "Asia/Tokyo", timeStyle: "medium" });

interface ReceiptProps {
  exam: number;
  sitting: Sitting;
  transcript: NonNullable<Sitting["transcript"]>;
}

function Receipt({ exam, sitting, transcript }: ReceiptProps) {
  const { subject, questions } = sitting.paper;
  const { handed_in_at, sealed_by, digest, answers } = transcript;
  const seconds = new Map(sitting.question_times.map((row) => [row.question_id, row.seconds]));
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
      </Panel>
      <ReceiptPanel handedIn={[{ sitting: sitting.id, subject }]} />
      <SittingRecord sitting={sitting} />
      <table className="kn-table">
        <caption>
          <strong>提出した答え</strong>
        </caption>
        <thead>
          <tr>
            <th scope="col">問題</th>
            <th scope="col">あなたの答え</th>
            <th scope="col">届いた時刻</th>
            <th scope="col">見ていた時間</th>
          </tr>
        </thead>
        <tbody>
          {answers.map(({ question_id, number, answer, saved_at }) => (
            <tr key={question_id}>
              <th scope="row">{number}</th>
              <td>
                <GivenText given={answer} question={byId.get(question_id)} />
              </td>
              <td>{saved_at === null ? "—" : timeOfDay.format(Date.parse(saved_at))}</td>
              <td>
                {seconds.has(question_id) ? formatDuration(seconds.get(question_id) ?? 0) : "—"}
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

/** The integrity notes of a sitting, visible to the candidate. */
function SittingRecord({ sitting: { away_seconds, epoch } }: { sitting: Sitting }) {
  return (
    <Panel as="section" gap="xs" aria-label="受験の記録">
      <Text>画面から離れた時間：{formatDuration(away_seconds)}</Text>
      <Text>ほかの端末やブラウザへの引きつぎ：{epoch - 1}回</Text>
      <Note>
        それぞれの答えがサーバーに届いた時刻と、問題を見ていた時間は、下の表にあります。これらの記録だけで何かを決めることはありません。カメラは使いません。
      </Note>
    </Panel>
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
  if ("picture" in given) {
    const { picture } = given;
    if (question === undefined) return <span>画像</span>;
    return (
      <PictureView
        name={picture}
        load={() => answerPicture(question.id, picture)}
        alt={`問題${question.number}の答え`}
      />
    );
  }
  return <span>{"number" in given ? given.number : given.text}</span>;
}
