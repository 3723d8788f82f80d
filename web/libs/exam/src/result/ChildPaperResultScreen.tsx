import { paths } from "@konomana/paths";
import { Head, Stack, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { childAnswerPicture, childPaperResultQuery } from "../api";
import { PaperResultDetail } from "./PaperResultDetail";
import { ResultBoundary } from "./ResultBoundary";

/**
 * /mypage/child/{account}/mockexam/{id}/result/{paperId}: a child's result in one subject, for the
 * guardian.
 */
export function ChildPaperResultScreen() {
  const { account = "", id, resultId } = useParams();
  const exam = Number(id);
  const query = useQuery(childPaperResultQuery(account, exam, Number(resultId)));
  return (
    <Stack gap="lg">
      <Head title="お子さまの教科の結果" />
      <TextLink to={paths.childExamResult(account, exam)}>← 模試の結果にもどる</TextLink>
      <ResultBoundary query={query}>
        {({ child_name, result }) => (
          <PaperResultDetail
            result={result}
            child={child_name}
            loadPicture={(question, picture) => childAnswerPicture(account, question, picture)}
          />
        )}
      </ResultBoundary>
    </Stack>
  );
}
