import { paths } from "@konomana/paths";
import { AnswerAndKey, Prompt, RightOrWrong, TexText } from "@konomana/question";
import {
  ButtonLink,
  EmptyState,
  Head,
  Note,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { type FinalPaperResult, paperResultQuery, type QuestionResult } from "../api";
import { Distribution } from "./Distribution";
import { ResultBoundary } from "./ResultBoundary";
import { StandingFacts } from "./StandingFacts";
import { formatFigure } from "./figures";

/** /mypage/mockexam/{id}/result/{paperId}: one subject question by question, and what to learn next. */
export function PaperResultScreen() {
  const { id, resultId } = useParams();
  const exam = Number(id);
  const query = useQuery(paperResultQuery(exam, Number(resultId)));
  return (
    <Stack gap="lg">
      <Head title="教科の結果" />
      <TextLink to={paths.examResult(exam)}>← 模試の結果にもどる</TextLink>
      <ResultBoundary query={query}>{(result) => <Detail result={result} />}</ResultBoundary>
    </Stack>
  );
}

function Detail({ result: { subject, standing, questions } }: { result: FinalPaperResult }) {
  const missed = questions.filter(({ is_right }) => !is_right);
  return (
    <>
      <Title order={1} size="h2">
        {subject}の結果
      </Title>
      <Panel as="section" gap="md" aria-label="点数">
        <StandingFacts standing={standing} />
        <Distribution standing={standing} name="得点の分布" />
        {standing.is_reference && (
          <Note>受けた人が30人より少ないため、偏差値と順位は参考値です。</Note>
        )}
      </Panel>
      <TitledPanel title={`まちがえた問題（${missed.length}問）`} gap="md">
        {missed.length === 0 ? (
          <EmptyState title="全問正解です">よくがんばりました。</EmptyState>
        ) : (
          <Note>多くの人が正解した問題から見直すと、点数につながりやすくなります。</Note>
        )}
      </TitledPanel>
      <Stack as="ol" gap="lg">
        {questions.map((row) => (
          <Question key={row.question.id} row={row} />
        ))}
      </Stack>
    </>
  );
}

function Question({ row }: { row: QuestionResult }) {
  const { question, given, key, is_right, right_rate, explanation, lesson_id } = row;
  const id = `question-${question.id}`;
  return (
    <Panel as="li" gap="md">
      <Title order={2} size="h4">
        問{question.number}（{question.points}点）
      </Title>
      <RightOrWrong right={is_right} />
      <Note>正答率 {formatFigure(right_rate)}%</Note>
      <Prompt id={id} figures={question.figures}>
        {question.prompt}
      </Prompt>
      <AnswerAndKey choices={question.choices} given={given} answerKey={key} />
      <div>
        <Title order={3} size="h5">
          解説
        </Title>
        <Text>
          <TexText>{explanation}</TexText>
        </Text>
      </div>
      {!is_right && lesson_id !== null && (
        <ButtonLink variant="default" to={paths.lesson(lesson_id)}>
          この内容のレッスンを見る
        </ButtonLink>
      )}
    </Panel>
  );
}
