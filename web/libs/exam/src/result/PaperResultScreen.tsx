import { paths } from "@konomana/paths";
import { Head, Stack, Text, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { answerPicture, paperResultQuery } from "../api";
import { PaperResultDetail } from "./PaperResultDetail";
import { ResultBoundary } from "./ResultBoundary";

/** /mypage/mockexam/{id}/result/{paperId}: the learner's result in one subject. */
export function PaperResultScreen() {
  const { id, resultId } = useParams();
  const exam = Number(id);
  const query = useQuery(paperResultQuery(exam, Number(resultId)));
  return (
    <Stack gap="lg">
      <Head title="教科の結果" />
      <TextLink to={paths.examResult(exam)}>← 模試の結果にもどる</TextLink>
      <ResultBoundary query={query}>
        {(result) => (
          <PaperResultDetail result={result} loadPicture={answerPicture}>
            <Text>
              まちがえた問題は、結果が確定した次の日から
              <TextLink to={paths.examReviews()}>模試の復習</TextLink>に出ます。
            </Text>
          </PaperResultDetail>
        )}
      </ResultBoundary>
    </Stack>
  );
}
