import { ExamAction, ExamFacts, useResultsBy } from "@konomana/exam-card";
import { paths } from "@konomana/paths";
import { QueryBoundary, useAtServerTime } from "@konomana/query";
import {
  Alert,
  Badge,
  ButtonLink,
  Group,
  Head,
  Lines,
  LoadingState,
  Note,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { type PaperState, type Sheet, sheetQuery } from "../../api";
import { ExtraTimeNote } from "../ExtraTimeNote";
import { timeOf } from "../extraTime";
import { AdmissionSlip } from "./AdmissionSlip";
import { CalendarButton } from "./CalendarButton";
import { StepList } from "./StepList";

/** /mypage/mockexam/{id}: the details of one exam, with the completed steps and the next one. */
export function ExamSheetScreen() {
  const query = useQuery(sheetQuery(Number(useParams()["id"])));
  return (
    <>
      <TextLink to={paths.mockExams()} className="kn-start" data-screen-only>
        ← 模試の一覧にもどる
      </TextLink>
      <QueryBoundary query={query} loading={<SheetLoading />}>
        {(sheet) => <Detail sheet={sheet} />}
      </QueryBoundary>
    </>
  );
}

function SheetLoading() {
  return (
    <>
      <Head title="模試" />
      <LoadingState rows={3} height="10rem" />
    </>
  );
}

function Detail({ sheet }: { sheet: Sheet }) {
  const { exam, has_seat, stage, papers, candidate_number: number } = sheet;
  const resultsBy = useResultsBy(exam.results_at);
  // Only the slip is printed.
  const hasSlip = has_seat && number !== null;
  const isOver = useAtServerTime([exam.ends_at], (now) => now >= Date.parse(exam.ends_at));
  return (
    <Stack gap="lg">
      <Head title={exam.name} />
      <Stack gap="lg" data-screen-only={hasSlip || undefined}>
        <Stack as="header" gap="xs">
          <Title order={1} size="h2">
            {exam.name}
          </Title>
          <Text>{exam.description}</Text>
        </Stack>
        {stage === "handed_in" && (
          <Alert color="blue" title="すべての教科を提出しました">
            {resultsBy}
          </Alert>
        )}
        {papers.some(({ state }) => state === "handed_in") && (
          <Group actions>
            <ButtonLink to={paths.examResult(exam.id)}>結果を見る</ButtonLink>
          </Group>
        )}
        {has_seat ? (
          <TitledPanel title="受験までの流れ">
            <StepList sheet={sheet} />
          </TitledPanel>
        ) : (
          <Panel as="section" gap="md" aria-label="申し込み">
            <ExamAction exam={exam} />
          </Panel>
        )}
      </Stack>
      {hasSlip && <AdmissionSlip sheet={sheet} number={number} />}
      <Stack gap="lg" data-screen-only={hasSlip || undefined}>
        <TitledPanel title="日程と料金" gap="md">
          <ExamFacts exam={exam} />
          {isOver === false && (
            <Group actions>
              <CalendarButton exam={exam} />
            </Group>
          )}
        </TitledPanel>
        <TitledPanel title="教科と時間">
          <ExtraTimeNote percent={sheet.time_percent} />
          <Papers sheet={sheet} />
        </TitledPanel>
      </Stack>
    </Stack>
  );
}

const paperStates: Readonly<
  Record<PaperState["state"], { name: string; color: "gray" | "red" | "teal" }>
> = {
  not_started: { name: "まだ", color: "gray" },
  running: { name: "受験中", color: "red" },
  handed_in: { name: "提出済み", color: "teal" },
};

function Papers({ sheet: { exam, papers, has_seat, time_percent } }: { sheet: Sheet }) {
  return (
    <Lines>
      {exam.papers.map(({ id, subject, minutes, question_count, points }) => {
        const { name, color } =
          paperStates[papers.find((paper) => paper.paper_id === id)?.state ?? "not_started"];
        return (
          <Group key={id} as="li" gap="sm" justify="space-between">
            <div>
              <Text bold>{subject}</Text>
              <Note>
                {timeOf(minutes, time_percent)}・{question_count}問・{points}点満点
              </Note>
            </div>
            {has_seat && (
              <Badge color={color} variant={color === "gray" ? "outline" : "filled"} size="lg">
                {name}
              </Badge>
            )}
          </Group>
        );
      })}
    </Lines>
  );
}
