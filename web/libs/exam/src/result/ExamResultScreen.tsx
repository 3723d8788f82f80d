import { paths } from "@konomana/paths";
import { SaveFileButton } from "@konomana/query";
import {
  Alert,
  Badge,
  BarChart,
  formatDateTime,
  Group,
  Head,
  Lines,
  Note,
  Stack,
  Text,
  TextLink,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { examResultPdf, type ExamResult, examResultQuery, type PaperResult } from "../api";
import { Distribution } from "./Distribution";
import { JudgementList } from "./JudgementList";
import { ResultBoundary } from "./ResultBoundary";
import { SchoolSimulator } from "./SchoolSimulator";
import { StandingFacts } from "./StandingFacts";
import { formatFigure } from "./figures";

/** /mypage/mockexam/{id}/result: what was reached in an exam, how it compares, and what it says of the schools. */
export function ExamResultScreen() {
  const exam = Number(useParams()["id"]);
  const query = useQuery(examResultQuery(exam));
  return (
    <Stack gap="lg">
      <Head title="模試の結果" />
      <TextLink to={paths.mockExam(exam)}>← 模試のページにもどる</TextLink>
      <ResultBoundary query={query}>{(result) => <Detail result={result} />}</ResultBoundary>
    </Stack>
  );
}

function Detail({ result }: { result: ExamResult }) {
  const { exam_name, is_final, papers, total, judgements } = result;
  const isMissingPaper = is_final && papers.some(({ state }) => state === "absent");
  const isReference = total?.is_reference ?? papers.some(({ standing }) => standing?.is_reference);
  return (
    <>
      <Group gap="sm">
        <Title order={1} size="h2">
          {exam_name}の結果
        </Title>
        <Badge
          color={is_final ? "teal" : "gray"}
          variant={is_final ? "filled" : "outline"}
          size="lg"
        >
          {is_final ? "確定" : "暫定"}
        </Badge>
      </Group>
      {!is_final && <Provisional result={result} />}
      {isReference && <Note>受けた人が30人より少ないため、偏差値と順位は参考値です。</Note>}
      <TitledPanel title={`${papers.length}教科の合計`} gap="md">
        {total === null ? (
          <Text>{isMissingPaper ? withoutTotal.final : withoutTotal.provisional}</Text>
        ) : (
          <>
            <StandingFacts standing={total} />
            <Distribution standing={total} name="合計点の分布" />
          </>
        )}
      </TitledPanel>
      <TitledPanel title="教科ごとの結果" gap="md">
        <Subjects papers={papers} />
        <Papers result={result} />
      </TitledPanel>
      <TitledPanel title="志望校の合格判定" gap="md">
        <Note>合格可能性は目安です。</Note>
        <JudgementList judgements={judgements} isFinal={is_final} />
      </TitledPanel>
      <TitledPanel title="学校に出すとき" gap="md">
        <Text>
          得点・偏差値・順位・合格判定を1枚にまとめたPDFです。
          {!is_final && "結果が確定するまでは「暫定」と入ります。"}
        </Text>
        <SaveFileButton
          name={`mock-exam-${result.exam_id}.pdf`}
          load={() => examResultPdf(result.exam_id)}
          what="PDF"
        />
      </TitledPanel>
      <TitledPanel title="ほかの学校でも判定する" gap="md">
        <SchoolSimulator exam={result.exam_id} isFinal={is_final} />
      </TitledPanel>
    </>
  );
}

function Provisional({ result: { computed_at, ends_at } }: { result: ExamResult }) {
  return (
    <Alert color="blue" title="この結果は暫定です">
      いままでに提出した人とくらべています。受けた人が増えると、偏差値と順位は変わります。
      模試が終わる{formatDateTime(ends_at)}のあとに確定し、問題ごとの答えと解説も見られます。
      {computed_at !== null && `（${formatDateTime(computed_at)}の集計）`}
    </Alert>
  );
}

const withoutTotal = {
  provisional: "すべての教科の採点が終わると、合計の偏差値と順位が出ます。",
  final: "受けていない教科があるため、合計の偏差値と順位は出ません。",
};

/** The subjects beside each other. */
function Subjects({ papers }: { papers: readonly PaperResult[] }) {
  const marked = papers.flatMap(({ subject, standing }) =>
    standing === null ? [] : [{ subject, standing }],
  );
  if (marked.length === 0) return null;
  return (
    <BarChart
      caption="教科ごとの得点と平均点"
      columns={["教科", "得点", "偏差値"]}
      bars={marked.map(({ subject, standing }) => ({
        label: subject,
        share: standing.points / standing.full_points,
        shown: `${standing.points}点（平均 ${formatFigure(standing.average)}点）`,
        cells: [
          `${standing.points} / ${standing.full_points}点`,
          formatFigure(standing.deviation_score),
        ],
      }))}
    />
  );
}

const states = {
  absent: "まだ提出していません",
  marking: "採点しています。1分ほどで出ます",
  marked: null,
} as const satisfies Record<PaperResult["state"], string | null>;

/** The way to each paper's questions. */
function Papers({ result: { exam_id, is_final, papers } }: { result: ExamResult }) {
  return (
    <Lines>
      {papers.map(({ paper_id, subject, state, standing }) => (
        <Group key={paper_id} as="li" gap="sm" justify="space-between">
          <div>
            <Text bold>{subject}</Text>
            <Note>
              {is_final && state === "absent" ? "受けていません" : states[state]}
              {standing !== null && `${standing.rank}位 / ${standing.candidate_count}人`}
            </Note>
          </div>
          {is_final && state === "marked" && (
            <TextLink to={paths.examPaperResult(exam_id, paper_id)}>
              {subject}の答えと解説を見る
            </TextLink>
          )}
        </Group>
      ))}
    </Lines>
  );
}
