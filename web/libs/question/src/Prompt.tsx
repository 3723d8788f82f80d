import { Stack } from "@konomana/ui-base";
import { Figure } from "./Figure";
import type { Picture } from "./question";
import styles from "./Prompt.module.css";
import { TexText } from "./tex/TexText";

interface PromptProps {
  /** The id for the `labelledBy` of the answer fields. */
  id: string;
  figures: readonly Picture[];
  children: string;
}

/** The text of a question, with its figures. */
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
