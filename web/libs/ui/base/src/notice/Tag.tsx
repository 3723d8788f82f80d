import type { ReactNode } from "react";
import styles from "./notice.module.css";

interface TagProps {
  /** In the colours of the subject around it, on white, or filled for what matters most. */
  variant?: "tint" | "subject" | "white" | "strong";
  children: ReactNode;
}

/** What something is about, in a word. */
export function Tag({ variant = "tint", children }: TagProps) {
  return (
    <span className={styles.tag} data-variant={variant}>
      {children}
    </span>
  );
}
