import { sentenceOf } from "@konomana/http";
import { QueryBoundary } from "@konomana/query";
import { AnswerAndKey, Prompt, TeachingLesson, TexText } from "@konomana/question";
import {
  Button,
  Group,
  LoadingState,
  Note,
  Panel,
  showBlue,
  showMessage,
  Text,
  Title,
} from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import {
  examQuestionQuery,
  type ExamQuestionResult,
  type ExamReview,
  recordExamReview,
  reviewKeys,
} from "../api";

interface ExamReviewQuestionProps {
  review: ExamReview;
  /** Whether it follows another question; it then takes the focus. */
  follows: boolean;
}

/** A due question, first without its answer, then with the answer and a form for the outcome. */
export function ExamReviewQuestion({ review, follows }: ExamReviewQuestionProps) {
  const query = useQuery(examQuestionQuery(review.question_id));
  return (
    <QueryBoundary query={query} loading={<LoadingState rows={1} height="16rem" />}>
      {(question) => <DueReview question={question} review={review} follows={follows} />}
    </QueryBoundary>
  );
}

interface DueReviewProps extends ExamReviewQuestionProps {
  question: ExamQuestionResult;
}

function DueReview({ question: { exam_name, subject, result }, review, follows }: DueReviewProps) {
  const { question, given, key, explanation, lesson } = result;
  const [shown, setShown] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const answer = useRef<HTMLHeadingElement>(null);
  const id = useId();

  useEffect(() => {
    if (follows) heading.current?.focus();
  }, [follows]);
  useEffect(() => {
    if (shown) answer.current?.focus();
  }, [shown]);

  return (
    <Panel as="section" gap="md" aria-labelledby={id}>
      <Note>{exam_name}</Note>
      <h2 ref={heading} id={id} tabIndex={-1}>
        {subject} 問{question.number}
      </h2>
      <Prompt id={`${id}-prompt`} figures={question.figures}>
        {question.prompt}
      </Prompt>
      {shown ? (
        <>
          <h3 ref={answer} tabIndex={-1}>
            答えと解説
          </h3>
          <AnswerAndKey choices={question.choices} given={given} answerKey={key} />
          <Text>
            <TexText>{explanation}</TexText>
          </Text>
          <TeachingLesson lesson={lesson} />
          <HowItWent review={review} />
        </>
      ) : (
        <>
          {question.choices.length > 0 && (
            <ul aria-label="選択肢">
              {question.choices.map((choice) => (
                <li key={choice.id}>
                  <TexText>{choice.text}</TexText>
                </li>
              ))}
            </ul>
          )}
          <div>
            <Button pill onClick={() => setShown(true)}>
              答えと解説を見る
            </Button>
          </div>
        </>
      )}
    </Panel>
  );
}

/** Days until a question is due again after each step. After the last step it is not due again. */
const DAYS_AFTER = [3, 7, 14];

/** Asks whether the question was solved this time, which decides when it is due again. */
function HowItWent({ review: { question_id, step } }: { review: ExamReview }) {
  const queries = useQueryClient();
  const recording = useMutation({
    mutationFn: (solved: boolean) => recordExamReview(question_id, solved),
    onSuccess: async (_, solved) => {
      showBlue(nextTime(solved, step));
      await queries.invalidateQueries({ queryKey: reviewKeys.exam });
    },
    onError: (error) => {
      // Another tab may have recorded it: refetch what is due now.
      void queries.invalidateQueries({ queryKey: reviewKeys.exam });
      showMessage(`記録できませんでした。${sentenceOf(error)}`);
    },
  });
  const isBusy = recording.isPending || recording.isSuccess;
  return (
    <>
      <Title order={3} size="h5">
        今回はできましたか？
      </Title>
      <Group gap="sm" actions>
        <Button pill busy={isBusy} onClick={() => recording.mutate(true)}>
          できた
        </Button>
        <Button pill variant="default" busy={isBusy} onClick={() => recording.mutate(false)}>
          まだ
        </Button>
      </Group>
    </>
  );
}

/** When the question is due again, as text. */
function nextTime(solved: boolean, step: number): string {
  if (!solved) return "この問題は、あしたもう一度出ます。";
  const days = DAYS_AFTER[step - 1];
  return days === undefined
    ? "この問題の復習は終わりました。"
    : `この問題は、${days}日後にもう一度出ます。`;
}
