import type { ReactNode } from "react";
import { classes } from "../layout/classes";
import styles from "./notice.module.css";

interface BadgeProps {
  color: "red" | "blue" | "teal" | "gray";
  /** A light one says what something is, an outlined one what is still to come. */
  variant?: "filled" | "light" | "outline";
  size?: "md" | "lg" | "xl";
  className?: string | undefined;
  children: ReactNode;
}

/** A word or two about the state of something. */
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
