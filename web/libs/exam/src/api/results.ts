import { applicationKeys } from "@konomana/exam-card";
import { type Answer, call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** The result of an exam. Provisional until the exam ends. */
export type ExamResult = Answer<"GET", "/api/exam/application/{id}/result/">;
export type PaperResult = ExamResult["papers"][number];
/** What was recorded while a paper was sat. */
export type SittingRecord = NonNullable<PaperResult["record"]>;
/** Points, and their comparison with the other candidates. */
export type Standing = NonNullable<PaperResult["standing"]>;
export type Judgement = ExamResult["judgements"][number];
/** The final result of a paper. */
export type FinalPaperResult = Answer<"GET", "/api/exam/paper/{id}/result/">;
export type QuestionResult = FinalPaperResult["questions"][number];

/** Polling interval while a paper is marked by the server, in ms. People take days. */
const WHILE_MARKING = 5_000;

const childResultKeys = {
  exam: (account: string, exam: number) => [...PERSONAL, "child", account, "exam", exam] as const,
  paper: (account: string, exam: number, paper: number) =>
    [...childResultKeys.exam(account, exam), paper] as const,
  judgement: (account: string, exam: number, school: number, department: number) =>
    [...childResultKeys.exam(account, exam), "judgement", school, department] as const,
};

/**
 * The learner's result of an exam. Refetched on every use, because it changes as others hand in.
 */
export const examResultQuery = (exam: number) =>
  queryOptions({
    queryKey: applicationKeys.result(exam),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/application/{id}/result/", { params: { id: exam }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.papers.some(
        ({ state, written_in_marking }) => state === "marking" && written_in_marking === null,
      )
        ? WHILE_MARKING
        : false,
  });

/** The result as a PDF file, for the learner's school. */
export const examResultPdf = ({ exam, child }: ResultOwner) =>
  child === undefined
    ? call("GET", "/api/exam/application/{id}/result/pdf/", { params: { id: exam } })
    : call("GET", "/api/exam/children/{id}/result/{exam}/pdf/", { params: { id: child, exam } });

/** The final result of a paper. */
export const paperResultQuery = (exam: number, paper: number) =>
  queryOptions({
    queryKey: applicationKeys.paperResult(exam, paper),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/paper/{id}/result/", { params: { id: paper }, signal }),
  });

/** The picture of the learner's answer. */
export const answerPicture = (question: number, picture: string) =>
  call("GET", "/api/exam/question/{id}/picture/{picture}/", { params: { id: question, picture } });

/** The picture of a child's answer in a final result. */
export const childAnswerPicture = (account: string, question: number, picture: string) =>
  call("GET", "/api/exam/children/{id}/question/{question}/picture/{picture}/", {
    params: { id: account, question, picture },
  });

/** A child's result of an exam, for the guardian. */
export const childExamResultQuery = (account: string, exam: number) =>
  queryOptions({
    queryKey: childResultKeys.exam(account, exam),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/children/{id}/result/{exam}/", {
        params: { id: account, exam },
        signal,
      }),
  });

/** The final result of a child's paper. */
export const childPaperResultQuery = (account: string, exam: number, paper: number) =>
  queryOptions({
    queryKey: childResultKeys.paper(account, exam, paper),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/children/{id}/paper/{paper}/result/", {
        params: { id: account, paper },
        signal,
      }),
  });

/** The exam of a result, and whose result it is. */
export interface ResultOwner {
  exam: number;
  /** The account of a child, for its guardian. Absent for the learner's own result. */
  child?: string;
}

/** The judgement of any department, including those that the learner did not choose. */
export const judgementQuery = (
  { exam, child }: ResultOwner,
  school_id: number,
  department_id: number,
) =>
  queryOptions({
    queryKey:
      child === undefined
        ? applicationKeys.judgement(exam, school_id, department_id)
        : childResultKeys.judgement(child, exam, school_id, department_id),
    queryFn: ({ signal }): Promise<Judgement> => {
      const query = { school_id, department_id };
      if (child === undefined)
        return call("GET", "/api/exam/application/{id}/judgement/", {
          params: { id: exam },
          query,
          signal,
        });
      return call("GET", "/api/exam/children/{id}/result/{exam}/judgement/", {
        params: { id: child, exam },
        query,
        signal,
      });
    },
  });
