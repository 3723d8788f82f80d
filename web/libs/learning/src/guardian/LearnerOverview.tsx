import type { Overview } from "../api";
import { Alert, Stack, TitledPanel } from "@konomana/ui-base";
import type { ReactNode } from "react";
import { AppointmentsPart } from "./AppointmentsPart";
import { ExamsPart } from "./ExamsPart";
import { LearningPart } from "./LearningPart";
import { PurchasesPart } from "./PurchasesPart";
import { WeeklyReports } from "./WeeklyReports";

interface LearnerOverviewProps {
  overview: Overview;
  /** The address of the reader's page with the result of an exam. */
  examResult: (exam: number) => string;
  /** Loads the PDF about the week from this Monday. */
  loadReport: (monday: string) => Promise<Blob>;
}

/**
 * The overview of a learner. Guardians and the learner see this component with the same data. A part
 * that the server could not load says so and is never shown as empty.
 */
export function LearnerOverview({ overview, examResult, loadReport }: LearnerOverviewProps) {
  const { learning, exams, appointments, purchases } = overview;
  return (
    <Stack gap="lg">
      {learning === null ? <MissingPart title="学習" /> : <LearningPart learning={learning} />}
      <WeeklyReports load={loadReport} />
      <Part title="コノ模試" body={exams}>
        {(body) => <ExamsPart exams={body} examResult={examResult} />}
      </Part>
      <Part title="イベントと面談" body={appointments}>
        {(body) => <AppointmentsPart appointments={body} />}
      </Part>
      <Part title="購入した講座と受験" body={purchases}>
        {(body) => <PurchasesPart purchases={body} />}
      </Part>
    </Stack>
  );
}

interface PartProps<Body> {
  title: string;
  /** `null`: the server could not load it. */
  body: Body | null;
  children: (body: Body) => ReactNode;
}

function Part<Body>({ title, body, children }: PartProps<Body>) {
  if (body === null) return <MissingPart title={title} />;
  return (
    <TitledPanel title={title} gap="sm">
      {children(body)}
    </TitledPanel>
  );
}

function MissingPart({ title }: { title: string }) {
  return (
    <TitledPanel title={title} gap="sm">
      <Alert color="blue" title="いまは読みこめません">
        ここに表示するものがあるかどうか、いまはわかりません。しばらくしてから、もう一度開いてください。
      </Alert>
    </TitledPanel>
  );
}
