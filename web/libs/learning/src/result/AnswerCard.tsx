import type { Result, ResultAnswer } from "../api";
import { paths } from "@konomana/paths";
import { AnswerAndKey, RightOrWrong, TexText } from "@konomana/question";
import { ButtonLink, Panel, Group, Title } from "@konomana/ui-base";
import { AskAboutQuestion } from "../parts/AskAboutQuestion";
import { WatchAgain } from "../parts/WatchAgain";

interface AnswerCardProps {
  answer: ResultAnswer;
  result: Result;
}

/** One question of a result: the outcome, the explanation, and a link into the video. */
export function AnswerCard({ answer, result }: AnswerCardProps) {
  const { question, given, is_right, key, explanation, watch_again_at } = answer;
  const { lesson, kind } = result;
  return (
    <Panel as="li" gap="sm">
      <Group gap="sm" justify="space-between" nowrap>
        <Title order={3} size="h5">
          問題 {question.number}
        </Title>
        <RightOrWrong right={is_right} />
      </Group>
      <p className="kn-pre kn-scroll">
        <TexText>{question.prompt}</TexText>
      </p>
      {question.picture && (
        <img className="kn-print" src={question.picture.url} alt={question.picture.alt} />
      )}
      {given !== null && key !== null ? (
        <>
          <AnswerAndKey choices={question.choices} given={given} answerKey={key} />
          {explanation !== null && explanation !== "" && (
            <p className="kn-pre kn-scroll">
              <strong>解説</strong> <TexText>{explanation}</TexText>
            </p>
          )}
          {watch_again_at !== null && <WatchAgain lesson={lesson.id} at={watch_again_at} />}
          <AskAboutQuestion lesson={lesson.id} question={question.id} />
        </>
      ) : (
        <ButtonLink
          pill
          className="kn-start"
          to={paths.question(
            lesson.id,
            question.id,
            kind === "practice" ? { result: result.id } : {},
          )}
          variant="default"
        >
          この問題に答える
        </ButtonLink>
      )}
    </Panel>
  );
}
