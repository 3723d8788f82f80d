import { applicationKeys } from "@konomana/exam-card";
import { type Answer, call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** What was reached in an exam; provisional until its end. */
export type ExamResult = Answer<"GET", "/api/exam/application/{id}/result/">;
export type PaperResult = ExamResult["papers"][number];
/** Points, and how they compare with those of the others. */
export type Standing = NonNullable<PaperResult["standing"]>;
export type Judgement = ExamResult["judgements"][number];
/** The final result of a paper. */
export type FinalPaperResult = Answer<"GET", "/api/exam/paper/{id}/result/">;
export type QuestionResult = FinalPaperResult["questions"][number];

/** How often a result is asked for while a paper is marked, in ms. */
const WHILE_MARKING = 5_000;

const childResultKeys = {
  exam: (account: string, exam: number) => [...PERSONAL, "child", account, "exam", exam] as const,
  paper: (account: string, exam: number, paper: number) =>
    [...childResultKeys.exam(account, exam), paper] as const,
};

/** The learner's result of an exam. It changes as others hand in: always asked anew. */
export const examResultQuery = (exam: number) =>
  queryOptions({
    queryKey: applicationKeys.result(exam),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/application/{id}/result/", { params: { id: exam }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.papers.some(({ state }) => state === "marking") ? WHILE_MARKING : false,
  });

/** The result as a file for school. */
export const examResultPdf = (exam: number) =>
  call("GET", "/api/exam/application/{id}/result/pdf/", { params: { id: exam } });

/** The final result of one of its papers. */
export const paperResultQuery = (exam: number, paper: number) =>
  queryOptions({
    queryKey: applicationKeys.paperResult(exam, paper),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/paper/{id}/result/", { params: { id: paper }, signal }),
  });

/** What was reached by a child, for their guardian. */
export const childExamResultQuery = (account: string, exam: number) =>
  queryOptions({
    queryKey: childResultKeys.exam(account, exam),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/children/{id}/result/{exam}/", {
        params: { id: account, exam },
        signal,
      }),
  });

/** The final result of one of the child's papers. */
export const childPaperResultQuery = (account: string, exam: number, paper: number) =>
  queryOptions({
    queryKey: childResultKeys.paper(account, exam, paper),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/children/{id}/paper/{paper}/result/", {
        params: { id: account, paper },
        signal,
      }),
  });

/** The judgement of a department that the learner need not have named. */
export const judgementQuery = (exam: number, school_id: number, department_id: number) =>
  queryOptions({
    queryKey: applicationKeys.judgement(exam, school_id, department_id),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/application/{id}/judgement/", {
        params: { id: exam },
        query: { school_id, department_id },
        signal,
      }),
  });
