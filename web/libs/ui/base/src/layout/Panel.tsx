import type { ComponentProps } from "react";
import { classes } from "./classes";
import styles from "./Panel.module.css";

interface PanelProps extends ComponentProps<"div"> {
  as?: "div" | "section" | "article" | "aside" | "li" | "ul" | "ol" | "dl" | "form" | "details";
}

/** A sheet of paper on the page's ground. */
export function Panel({ as = "div", className, ...rest }: PanelProps) {
  const Tag = as as "div";
  return <Tag {...rest} className={classes(styles.panel, className)} />;
}
