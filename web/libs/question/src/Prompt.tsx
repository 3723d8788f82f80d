import { Stack } from "@konomana/ui-base";
import { Figure } from "./Figure";
import type { Picture } from "./question";
import styles from "./Prompt.module.css";
import { TexText } from "./tex/TexText";

interface PromptProps {
  /** Names the fields of the answer: their `labelledBy`. */
  id: string;
  figures: readonly Picture[];
  children: string;
}

/** What is asked, with its figures. */
export function Prompt({ id, figures, children }: PromptProps) {
  return (
    <Stack gap="lg">
      <div className={`kn-pre kn-scroll ${styles.prompt}`} id={id}>
        <TexText>{children}</TexText>
      </div>
      {figures.map((figure) => (
        <Figure key={figure.url} picture={figure} />
      ))}
    </Stack>
  );
}
