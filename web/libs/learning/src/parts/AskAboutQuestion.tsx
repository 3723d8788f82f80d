import { paths } from "@konomana/paths";
import { TextLink } from "@konomana/ui-base";

interface AskAboutQuestionProps {
  lesson: number;
  /** A question of the lesson. */
  question: number;
}

/** Leads to a question to a teacher about this question. */
export function AskAboutQuestion({ lesson, question }: AskAboutQuestionProps) {
  return (
    <TextLink to={paths.askTeacher({ lesson, exercise: question })}>
      この問題を先生に質問する
    </TextLink>
  );
}
