import styles from "./RightOrWrong.module.css";

interface RightOrWrongProps {
  /** `null` if there is no answer yet. */
  right: boolean | null;
  /** The text beside the sign. By default the word for the result. */
  children?: string;
}

/** ○ or × with a word, so the meaning does not depend on colour. */
export function RightOrWrong({ right, children = wordFor(right) }: RightOrWrongProps) {
  return (
    <span className={styles.verdict} data-right={right ?? "open"}>
      <svg viewBox="0 0 24 24" width="1.25em" height="1.25em" aria-hidden="true">
        {right === null && <path d="M6 12h12" />}
        {right === true && <circle cx="12" cy="12" r="8" />}
        {right === false && <path d="M6 6l12 12M18 6L6 18" />}
      </svg>
      {children}
    </span>
  );
}

function wordFor(right: boolean | null): string {
  if (right === null) return "未解答";
  return right ? "正解" : "不正解";
}
