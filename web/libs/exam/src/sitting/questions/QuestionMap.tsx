import { Grid, Title, VisuallyHidden } from "@konomana/ui-base";
import type { Entry } from "../protocol/sittingState";
import type { ExamQuestion } from "../protocol/sittingTypes";
import styles from "./questions.module.css";

interface QuestionMapProps {
  questions: readonly ExamQuestion[];
  entries: ReadonlyMap<number, Entry>;
  /** The open question. */
  current: number;
  onChoose: (question: ExamQuestion) => void;
}

/** Overview of the paper's questions: answered and flagged ones, with links to them. */
export function QuestionMap({ questions, entries, current, onChoose }: QuestionMapProps) {
  const answered = questions.filter(({ id }) => entries.get(id)?.answer != null).length;
  return (
    <nav aria-labelledby="map">
      <Title order={2} size="h5" id="map" mb="xs">
        問題の一覧（{questions.length}問中{answered}問に回答）
      </Title>
      <Grid as="ol" min="3.5rem" gap="0.5rem">
        {questions.map((question) => {
          const { answer = null, isFlagged = false } = entries.get(question.id) ?? {};
          return (
            <li key={question.id}>
              <button
                type="button"
                className={styles.question}
                aria-current={question.id === current ? "true" : undefined}
                data-answered={answer !== null || undefined}
                onClick={() => onChoose(question)}
              >
                <VisuallyHidden>問題</VisuallyHidden>
                {question.number}
                <span className={styles.marks}>
                  {answer !== null && "済"}
                  {isFlagged && <span className={styles.flag}>見直し</span>}
                </span>
                {answer === null && <VisuallyHidden>未回答</VisuallyHidden>}
              </button>
            </li>
          );
        })}
      </Grid>
    </nav>
  );
}
