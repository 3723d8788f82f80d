import { useAtServerTime } from "@konomana/query";
import type { ExamCard } from "../api/examCardTypes";
import { type ExamPhase, phaseOf } from "./phase";

/** The phase of an exam by the server's clock. `null` during the prerender and hydration. */
export function useExamPhase(exam: ExamCard): ExamPhase | null {
  const { application_opens_at, application_closes_at, ends_at } = exam;
  return useAtServerTime([application_opens_at, application_closes_at, ends_at], (now) =>
    phaseOf(exam, now),
  );
}
