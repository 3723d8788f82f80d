import { type Answer, AnswerFields, Prompt } from "@konomana/question";
import { useId } from "react";
import type { Question } from "../api";

interface QuestionFieldsProps {
  question: Question;
  answer: Answer;
  onAnswer: (answer: Answer) => void;
  errors: Readonly<Partial<Record<keyof Answer, string>>>;
}

/** The text of a question and its answer fields. */
export function QuestionFields({ question, answer, onAnswer, errors }: QuestionFieldsProps) {
  const prompt = useId();
  const { id, kind, figures, choices } = question;
  return (
    <>
      <Prompt id={prompt} figures={figures}>
        {question.prompt}
      </Prompt>
      <AnswerFields
        key={id}
        kind={kind}
        choices={choices}
        value={answer}
        onChange={onAnswer}
        errors={errors}
        labelledBy={prompt}
        name={`answer-${id}`}
        enterKeyHint="next"
      />
    </>
  );
}
