import type { ComponentProps } from "react";
import { classes } from "./classes";
import styles from "./layout.module.css";

interface LinesProps extends ComponentProps<"ul"> {
  as?: "ul" | "ol";
}

/** A list with lines between its items. */
export function Lines({ as = "ul", className, ...rest }: LinesProps) {
  const Tag = as as "ul";
  return <Tag {...rest} className={classes(styles.lines, className)} />;
}
