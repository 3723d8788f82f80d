import { lessonQuestionsQuery, resultQuery } from "../api";
import { paths } from "@konomana/paths";
import { Title, VisuallyHidden, Panel, Group } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { RightOrWrong } from "@konomana/question";
import styles from "./question.module.css";
import { addressOf, modeIn } from "./mode";

interface StepsProps {
  lesson: number;
  /** The id of the shown question. */
  current: number;
}

/** A question as a step of its round. */
interface Step {
  id: number;
  number: number;
  right: boolean | null;
}

/** Links to every question of the round with its outcome. In review each question is on its own. */
export function QuestionSteps({ lesson, current }: StepsProps) {
  const mode = modeIn(useSearchParams()[0]);
  const graded = useQuery({ ...lessonQuestionsQuery(lesson), enabled: mode.kind === "graded" });
  const practice = mode.kind === "practice";
  const round = useQuery({ ...resultQuery(practice ? mode.result : 0), enabled: practice });
  const steps: Step[] | undefined = practice
    ? round.data?.answers.map(({ question: { id, number }, is_right }) => ({
        id,
        number,
        right: is_right,
      }))
    : graded.data?.results.map(({ id, number, graded: tried }) => ({
        id,
        number,
        right: tried?.is_right ?? null,
      }));
  if (!steps || steps.length < 2) return null;
  return (
    <Panel as="nav" mb="md" aria-labelledby="steps">
      <Title order={2} size="h6" id="steps">
        {practice ? "この練習の問題" : "このレッスンの問題"}
      </Title>
      <Group as="ol" gap="0.5rem" mt="0.5rem">
        {steps.map(({ id, number, right }) => (
          <li key={id}>
            <Link
              className={`kn-chip kn-fine ${styles.step}`}
              to={paths.question(lesson, id, addressOf(mode))}
              aria-current={id === current ? "step" : undefined}
            >
              <VisuallyHidden>問題</VisuallyHidden>
              <span>{number}</span>
              <RightOrWrong right={right} />
            </Link>
          </li>
        ))}
      </Group>
    </Panel>
  );
}
