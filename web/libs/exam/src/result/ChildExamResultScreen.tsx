import { paths } from "@konomana/paths";
import { Head, Stack, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { childExamResultQuery } from "../api";
import { ExamResultDetail } from "./ExamResultDetail";
import { ResultBoundary } from "./ResultBoundary";
import { ResultTools } from "./ResultTools";

/** /mypage/child/{account}/mockexam/{id}/result: a child's result of an exam, for the guardian. */
export function ChildExamResultScreen() {
  const { account = "", id } = useParams();
  const exam = Number(id);
  const query = useQuery(childExamResultQuery(account, exam));
  return (
    <Stack gap="lg">
      <Head title="お子さまの模試の結果" />
      <TextLink to={paths.child(account)}>← お子さまの学習にもどる</TextLink>
      <ResultBoundary query={query}>
        {({ child_name, result }) => (
          <ExamResultDetail
            result={result}
            child={child_name}
            toPaper={(paper) => paths.childPaperResult(account, exam, paper)}
          >
            <ResultTools owner={{ exam, child: account }} isFinal={result.is_final} />
          </ExamResultDetail>
        )}
      </ResultBoundary>
    </Stack>
  );
}
