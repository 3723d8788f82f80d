import { AnswerAndKey, Prompt, RightOrWrong, TeachingLesson, TexText } from "@konomana/question";
import {
  ChipLinks,
  EmptyState,
  Note,
  Panel,
  Stack,
  Text,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import type { ReactNode } from "react";
import type { FinalPaperResult, QuestionResult } from "../api";
import { PictureView } from "@konomana/picture";
import { pictureIn } from "../picture/pictureIn";
import { Distribution } from "./Distribution";
import { StandingFacts } from "./StandingFacts";
import { formatFigure, whoseResult } from "./formatFigure";

interface PaperResultDetailProps {
  result: FinalPaperResult;
  /** The name of the child. Absent for the learner's own result. */
  child?: string;
  /** Loads the picture of an answer. */
  loadPicture: (question: number, picture: string) => Promise<Blob>;
  /** Content below the number of missed questions. */
  children?: ReactNode;
}

/** The result of one subject by question, with the lesson that teaches each missed one. */
export function PaperResultDetail({
  result: { subject, standing, questions },
  child,
  loadPicture,
  children,
}: PaperResultDetailProps) {
  const missed = questions.filter(({ is_right }) => !is_right);
  const who = whoseResult(child);
  return (
    <>
      <Title order={1} size="h2">
        {child !== undefined && `${child}さんの`}
        {subject}の結果
      </Title>
      <Panel as="section" gap="md" aria-label="点数">
        <StandingFacts standing={standing} />
        <Distribution standing={standing} name="得点の分布" who={who} />
        {standing.is_reference && (
          <Note>受けた人が30人より少ないため、偏差値と順位は参考値です。</Note>
        )}
      </Panel>
      <TitledPanel title={`まちがえた問題（${missed.length}問）`} gap="md">
        {missed.length === 0 ? (
          <EmptyState title="全問正解です">よくがんばりました。</EmptyState>
        ) : (
          <>
            <Note>多くの人が正解した問題から見直すと、点数につながりやすくなります。</Note>
            <ChipLinks
              label="まちがえた問題"
              chips={missed
                .toSorted((one, other) => other.right_rate - one.right_rate)
                .map(({ question, right_rate }) => ({
                  to: `#${placeOf(question.number)}`,
                  label: `問${question.number}（正答率${formatFigure(right_rate)}%）`,
                  chosen: false,
                }))}
            />
            {children}
          </>
        )}
      </TitledPanel>
      <Stack as="ol" gap="lg">
        {questions.map((row) => (
          <Question key={row.question.id} row={row} who={who} loadPicture={loadPicture} />
        ))}
      </Stack>
    </>
  );
}

/** Where a question stands on the page. */
const placeOf = (number: number) => `question-${number}`;

interface QuestionProps extends Pick<PaperResultDetailProps, "loadPicture"> {
  row: QuestionResult;
  who: string;
}

function Question({ row, who, loadPicture }: QuestionProps) {
  const { question, given, key, is_right, right_rate, explanation, lesson, written_mark } = row;
  const isWritten = question.kind === "written";
  const picture = pictureIn(given);
  return (
    <Panel as="li" gap="md" id={placeOf(question.number)}>
      <Title order={2} size="h4">
        問{question.number}（{question.points}点）
      </Title>
      {written_mark === null ? (
        <RightOrWrong right={is_right} />
      ) : (
        <RightOrWrong right={is_right || (written_mark.points === 0 ? false : null)}>
          {`${written_mark.points}点 / ${question.points}点`}
        </RightOrWrong>
      )}
      <Note>
        {isWritten ? "満点だった人" : "正答率"} {formatFigure(right_rate)}%
      </Note>
      <Prompt id={`prompt-${question.id}`} figures={question.figures}>
        {question.prompt}
      </Prompt>
      <AnswerAndKey
        choices={question.choices}
        given={given}
        answerKey={key}
        picture={
          picture !== null && (
            <PictureView
              name={picture}
              load={() => loadPicture(question.id, picture)}
              alt={`${who}の答え`}
            />
          )
        }
        who={who}
        keyName={isWritten ? "模範解答" : undefined}
      />
      {written_mark !== null && written_mark.comments.length > 0 && (
        <div>
          <Title order={3} size="h5">
            採点者のコメント
          </Title>
          <Stack as="ul" gap="xs">
            {written_mark.comments.map((comment) => (
              <li key={comment}>{comment}</li>
            ))}
          </Stack>
        </div>
      )}
      <div>
        <Title order={3} size="h5">
          解説
        </Title>
        <Text>
          <TexText>{explanation}</TexText>
        </Text>
      </div>
      {!is_right && <TeachingLesson lesson={lesson} />}
    </Panel>
  );
}
