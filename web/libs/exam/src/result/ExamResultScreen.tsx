import { paths } from "@konomana/paths";
import { SaveFileButton } from "@konomana/query";
import { Head, Stack, Text, TextLink, TitledPanel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { examResultPdf, examResultQuery } from "../api";
import { ExamResultDetail } from "./ExamResultDetail";
import { ResultBoundary } from "./ResultBoundary";
import { SchoolSimulator } from "./SchoolSimulator";

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
            <TitledPanel title="学校に出すとき" gap="md">
              <Text>
                得点・偏差値・順位・合格判定を1枚にまとめたPDFです。
                {!result.is_final && "結果が確定するまでは「暫定」と入ります。"}
              </Text>
              <SaveFileButton
                name={`mock-exam-${exam}.pdf`}
                load={() => examResultPdf(exam)}
                what="PDF"
              />
            </TitledPanel>
            <TitledPanel title="ほかの学校でも判定する" gap="md">
              <SchoolSimulator exam={exam} isFinal={result.is_final} />
            </TitledPanel>
          </ExamResultDetail>
        )}
      </ResultBoundary>
    </Stack>
  );
}
