import type { ReactNode } from "react";
import { classes } from "../layout/classes";
import styles from "./notice.module.css";

interface BadgeProps {
  color: "red" | "blue" | "teal" | "gray";
  /** `light` for a current state, `outline` for a future one. */
  variant?: "filled" | "light" | "outline";
  size?: "md" | "lg" | "xl";
  className?: string | undefined;
  children: ReactNode;
}

/** One or two words about a state. */
export function Badge({ color, variant = "filled", size = "md", className, children }: BadgeProps) {
  return (
    <span
      className={classes(styles.badge, className)}
      data-color={color}
      data-variant={variant}
      data-size={size}
    >
      {children}
    </span>
  );
}
