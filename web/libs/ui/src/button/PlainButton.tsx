import type { ReactNode } from "react";
import styles from "./button.module.css";

interface PlainButtonProps {
  onClick: () => void;
  /** `quiet` is text alone until somebody points at it. */
  variant?: "filled" | "default" | "quiet";
  size?: "md" | "lg" | "xl";
  /** What it does is being done: a press does nothing, and the focus stays. */
  busy?: boolean;
  children: ReactNode;
}

/** A button of what every page loads: the kit's is made of more than the shell and its errors need. */
export function PlainButton({
  onClick,
  variant = "filled",
  size = "md",
  busy = false,
  children,
}: PlainButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      data-variant={variant}
      data-size={size}
      aria-disabled={busy || undefined}
      onClick={() => busy || onClick()}
    >
      {children}
    </button>
  );
}
