import type { ReactNode } from "react";
import styles from "./notice.module.css";

interface TagProps {
  /** The colours of the surrounding subject, white, or filled for emphasis. */
  variant?: "tint" | "subject" | "white" | "strong";
  children: ReactNode;
}

/** A one-word topic. */
export function Tag({ variant = "tint", children }: TagProps) {
  return (
    <span className={styles.tag} data-variant={variant}>
      {children}
    </span>
  );
}
