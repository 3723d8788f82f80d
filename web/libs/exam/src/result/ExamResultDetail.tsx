import {
  Alert,
  Badge,
  BarChart,
  formatDateTime,
  Group,
  Lines,
  Note,
  Text,
  TextLink,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import type { ReactNode } from "react";
import type { ExamResult, PaperResult } from "../api";
import { Distribution } from "./Distribution";
import { JudgementList } from "./JudgementList";
import { RecordPanel } from "./RecordPanel";
import { StandingFacts } from "./StandingFacts";
import { formatFigure, whoseResult } from "./formatFigure";

interface ExamResultDetailProps {
  result: ExamResult;
  /** The name of the child. Absent for the learner's own result. */
  child?: string;
  /** The address of a paper's result. */
  toPaper: (paper: number) => string;
  /** Content below the judgements. */
  children?: ReactNode;
}

/** The result of an exam: points, comparison with the others, and judgements of the schools. */
export function ExamResultDetail({ result, child, toPaper, children }: ExamResultDetailProps) {
  const { exam_name, is_final, papers, total, judgements } = result;
  const isMissingPaper = is_final && papers.some(({ state }) => state === "absent");
  const isReference = total?.is_reference ?? papers.some(({ standing }) => standing?.is_reference);
  return (
    <>
      <Group gap="sm">
        <Title order={1} size="h2">
          {child !== undefined && `${child}さんの`}
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
            <Distribution standing={total} name="合計点の分布" who={whoseResult(child)} />
          </>
        )}
      </TitledPanel>
      <TitledPanel title="教科ごとの結果" gap="md">
        <Subjects papers={papers} />
        <Papers result={result} toPaper={toPaper} />
      </TitledPanel>
      <TitledPanel title="志望校の合格判定" gap="md">
        <Note>合格可能性は目安です。判定は合計の偏差値で出し、内申点はふくめていません。</Note>
        <JudgementList judgements={judgements} isFinal={is_final} />
      </TitledPanel>
      {children}
      <RecordPanel papers={papers} isOwn={child === undefined} />
    </>
  );
}

const withoutTotal = {
  provisional: "すべての教科の採点が終わると、合計の偏差値と順位が出ます。",
  final: "受けていない教科があるため、合計の偏差値と順位は出ません。",
};

function Provisional({ result: { computed_at, ends_at, papers } }: { result: ExamResult }) {
  const hasWritten = papers.some(({ written_in_marking }) => written_in_marking !== null);
  return (
    <Alert color="blue" title="この結果は暫定です">
      いままでに提出した人とくらべています。受けた人が増えると、偏差値と順位は変わります。
      模試が終わる{formatDateTime(ends_at)}のあと、
      {hasWritten && "記述問題の採点がすべて終わると"}
      確定し、問題ごとの答えと解説も見られます。確定すると、メールでお知らせします。
      {computed_at !== null && `（${formatDateTime(computed_at)}の集計）`}
    </Alert>
  );
}

/** The results of all subjects side by side. */
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

/** The state of a paper; `null` if it is marked. */
function stateOf({ state, written_in_marking: written }: PaperResult): string | null {
  if (written === null) return states[state];
  const { open_answers, points, full_points } = written;
  return `採点中です。記述${open_answers}問は、模試が終わったあとに2人以上の採点者が採点します。ほかの問題は${points} / ${full_points}点です`;
}

/** Links to the questions of each paper. */
function Papers({
  result: { is_final, papers },
  toPaper,
}: Pick<ExamResultDetailProps, "result" | "toPaper">) {
  return (
    <Lines>
      {papers.map((paper) => (
        <PaperLine key={paper.paper_id} paper={paper} isFinal={is_final} toPaper={toPaper} />
      ))}
    </Lines>
  );
}

interface PaperLineProps {
  paper: PaperResult;
  isFinal: boolean;
  toPaper: (paper: number) => string;
}

function PaperLine({ paper, isFinal, toPaper }: PaperLineProps) {
  const { paper_id, subject, state, standing } = paper;
  return (
    <Group as="li" gap="sm" justify="space-between">
      <div>
        <Text bold>{subject}</Text>
        <Note>
          {isFinal && state === "absent" ? "受けていません" : stateOf(paper)}
          {standing !== null && `${standing.rank}位 / ${standing.candidate_count}人`}
        </Note>
      </div>
      {isFinal && state === "marked" && (
        <TextLink to={toPaper(paper_id)}>{subject}の答えと解説を見る</TextLink>
      )}
    </Group>
  );
}
