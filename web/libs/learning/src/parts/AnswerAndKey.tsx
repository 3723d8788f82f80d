import { Grid, Stack, Group } from "@konomana/ui-base";
import type { Choice, Given } from "../api";
import { choicesIn, wordsOf } from "../question/answer";
import { TexText } from "./tex/TexText";
import styles from "./AnswerAndKey.module.css";

interface AnswerAndKeyProps {
  choices: readonly Choice[];
  given: Given;
  answerKey: Given;
}

/** What was answered beside what is right, both in words. */
export function AnswerAndKey({ choices, given, answerKey }: AnswerAndKeyProps) {
  if (choices.length === 0)
    return (
      <Grid as="dl" min="12rem" fill gap="sm" className={styles.typed}>
        <div>
          <dt>あなたの答え</dt>
          <dd>{wordsOf(given)}</dd>
        </div>
        <div>
          <dt>正しい答え</dt>
          <dd>
            <TexText>{wordsOf(answerKey)}</TexText>
          </dd>
        </div>
      </Grid>
    );
  const chosen = choicesIn(given);
  const right = choicesIn(answerKey);
  return (
    <Stack as="ul" gap="0.5rem" aria-label="選択肢と答え">
      {choices.map(({ id, text }) => (
        <Group
          key={id}
          as="li"
          gap="0.375rem 0.5rem"
          className={styles.choice}
          data-right={right.includes(id) || undefined}
        >
          <span className={styles.words}>
            <TexText>{text}</TexText>
          </span>
          {chosen.includes(id) && <span className={styles.tag}>あなたの答え</span>}
          {right.includes(id) && (
            <span className={styles.tag} data-right>
              正しい答え
            </span>
          )}
        </Group>
      ))}
    </Stack>
  );
}
