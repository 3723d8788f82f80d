import { paths } from "@konomana/paths";
import { Head, Stack, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { examResultQuery } from "../api";
import { ExamResultDetail } from "./ExamResultDetail";
import { ResultBoundary } from "./ResultBoundary";
import { ResultTools } from "./ResultTools";

/** /mypage/mockexam/{id}/result: the learner's result of an exam. */
export function ExamResultScreen() {
  const exam = Number(useParams()["id"]);
  const query = useQuery(examResultQuery(exam));
  return (
    <Stack gap="lg">
      <Head title="模試の結果" />
      <TextLink to={paths.mockExam(exam)}>← 模試のページにもどる</TextLink>
      <ResultBoundary query={query}>
        {(result) => (
          <ExamResultDetail result={result} toPaper={(paper) => paths.examPaperResult(exam, paper)}>
            <ResultTools owner={{ exam }} isFinal={result.is_final} />
          </ExamResultDetail>
        )}
      </ResultBoundary>
    </Stack>
  );
}
