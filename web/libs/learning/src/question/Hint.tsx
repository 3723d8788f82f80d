import { TexText } from "@konomana/question";
import styles from "./question.module.css";

/** A hint that is shown on demand. */
export function Hint({ children }: { children: string }) {
  return (
    <details className={styles.hint}>
      <summary className="kn-fold">ヒントを見る</summary>
      <p className="kn-pre">
        <TexText>{children}</TexText>
      </p>
    </details>
  );
}
