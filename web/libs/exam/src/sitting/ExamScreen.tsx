import { QueryBoundary } from "@konomana/query";
import { Head, LoadingState } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Navigate, useParams, useSearchParams } from "react-router";
import type { Sheet } from "../api";
import { isOpen, pathOfStage } from "../application/steps";
import { runningSheetQuery } from "./outage/sheetCopy";
import { QuestionView } from "./questions/QuestionView";
import { SittingGate } from "./SittingGate";
import { StartPage } from "./StartPage";
import { SubjectChoice } from "./SubjectChoice";

/** /mypage/mockexam/{id}/exam: choosing a subject, starting it and answering it. */
export function ExamScreen() {
  const exam = Number(useParams()["id"]);
  const query = useQuery(runningSheetQuery(exam));
  return (
    <>
      <Head title="試験" />
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="12rem" />}>
        {(sheet) => <Exam sheet={sheet} />}
      </QueryBoundary>
    </>
  );
}

function Exam({ sheet }: { sheet: Sheet }) {
  const { exam, stage, papers, time_percent } = sheet;
  const [search] = useSearchParams();
  const [started, setStarted] = useState<number | null>(null);
  if (!isOpen("exam", stage)) return <Navigate to={pathOfStage(stage, exam.id)} replace />;

  const named = papers.find(({ paper_id }) => paper_id === Number(search.get("paper")));
  const running = papers.find(({ state }) => state === "running");
  const paper = named?.paper_id === started ? named : (running ?? named);
  if (paper === undefined || paper.state === "handed_in")
    return <SubjectChoice exam={exam} papers={papers} timePercent={time_percent} />;
  if (paper.state === "not_started" && paper.paper_id !== started)
    return (
      <StartPage
        exam={exam}
        paper={paper}
        timePercent={time_percent}
        onStart={() => setStarted(paper.paper_id)}
      />
    );
  return (
    <SittingGate exam={exam.id} paper={paper.paper_id}>
      {(session) => <QuestionView exam={exam.id} session={session} />}
    </SittingGate>
  );
}
