import type { Question } from "../api";
import { AnswerAndKey, RightOrWrong, TexText } from "@konomana/question";
import { Text, Panel, Title } from "@konomana/ui-base";
import { useEffect, useId, useRef } from "react";
import { AskAboutQuestion } from "../parts/AskAboutQuestion";
import { WatchAgain } from "../parts/WatchAgain";
import type { Mode } from "./mode";
import { NextStep } from "./NextStep";
import styles from "./question.module.css";
import type { ShownOutcome } from "./useAnswering";

interface OutcomePanelProps {
  question: Question;
  mode: Mode;
  told: ShownOutcome;
  /** Whether it appears after a press; it then takes the focus. */
  fresh: boolean;
}

/** The outcome of an answer with the correct answer, the explanation and the next step. */
export function OutcomePanel({ question, mode, told, fresh }: OutcomePanelProps) {
  const { is_right, given, key, explanation, watch_again_at, result } = told.outcome;
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();

  useEffect(() => {
    if (fresh) heading.current?.focus();
  }, [fresh]);

  return (
    <Panel
      as="section"
      gap="md"
      className={`kn-edge ${styles.outcome}`}
      data-right={is_right}
      aria-labelledby={id}
    >
      <h2 ref={heading} id={id} tabIndex={-1}>
        <RightOrWrong right={is_right}>{is_right ? "正解です" : "不正解です"}</RightOrWrong>
      </h2>
      {told.earlier && <Text>この問題には、もう答えていました。採点したのは最初の答えです。</Text>}
      <AnswerAndKey choices={question.choices} given={given} answerKey={key} />
      {explanation !== "" && (
        <div>
          <Title order={3} size="h5" mb="0.25rem">
            解説
          </Title>
          <p className="kn-pre kn-scroll">
            <TexText>{explanation}</TexText>
          </p>
        </div>
      )}
      {watch_again_at !== null && <WatchAgain lesson={question.lesson.id} at={watch_again_at} />}
      <AskAboutQuestion lesson={question.lesson.id} question={question.id} />
      {!is_right && fresh && (
        <Text size="sm" dimmed>
          まちがえた問題は、あした「復習」に出ます。
        </Text>
      )}
      <NextStep question={question} mode={mode} round={result} />
    </Panel>
  );
}
