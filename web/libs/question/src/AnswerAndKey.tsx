import { Grid, Stack, Panel, Badge, Note } from "@konomana/ui-base";
import type { ReactNode } from "react";
import styles from "./AnswerAndKey.module.css";
import type { Choice, Given } from "./question";
import { TexText } from "./tex/TexText";

interface AnswerAndKeyProps {
  choices: readonly Choice[];
  /** `null` for a skipped question. */
  given: Given | null;
  answerKey: Given;
  /** Shown for an answer that is a picture. */
  picture?: ReactNode;
  /** Whose answer it is. */
  who?: string;
  /** Label of the key of a typed answer. */
  keyName?: string;
}

/** The given answer and the correct answer, both as text. */
export function AnswerAndKey({
  choices,
  given,
  answerKey,
  picture,
  who = "あなた",
  keyName = "正しい答え",
}: AnswerAndKeyProps) {
  if (choices.length === 0)
    return (
      <Grid as="dl" min="12rem" fill gap="sm">
        <Panel pad="0.625rem 1rem">
          <Note as="dt">{who}の答え</Note>
          <dd className="kn-pre">{picture || <strong>{wordsOf(given)}</strong>}</dd>
        </Panel>
        <Panel pad="0.625rem 1rem">
          <Note as="dt">{keyName}</Note>
          <dd className="kn-pre">
            <strong>
              <TexText>{wordsOf(answerKey)}</TexText>
            </strong>
          </dd>
        </Panel>
      </Grid>
    );
  const chosen = choicesIn(given);
  const right = choicesIn(answerKey);
  return (
    <Stack as="ul" gap="0.5rem" aria-label="選択肢と答え">
      {choices.map(({ id, text }) => (
        <Panel
          key={id}
          as="li"
          pad="0.625rem 1rem"
          className={`kn-row ${styles.choice}`}
          data-right={right.includes(id) || undefined}
        >
          <span className="kn-grow">
            <TexText>{text}</TexText>
          </span>
          {chosen.includes(id) && (
            <Badge variant="outline" color="gray" size="lg">
              {who}の答え
            </Badge>
          )}
          {right.includes(id) && (
            <Badge color="teal" size="lg">
              正しい答え
            </Badge>
          )}
        </Panel>
      ))}
    </Stack>
  );
}

/** The ids of the choices in an answer or a key. */
function choicesIn(given: Given | null): readonly number[] {
  return given !== null && "choices" in given ? given.choices : [];
}

/** The text of a typed answer or key. */
function wordsOf(given: Given | null): string {
  if (given === null) return "答えていません";
  if ("number" in given) return given.number;
  return "text" in given ? given.text : "";
}
