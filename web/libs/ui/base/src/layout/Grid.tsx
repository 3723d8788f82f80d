import type { ComponentProps, CSSProperties } from "react";
import { classes } from "./classes";
import styles from "./layout.module.css";
import { type Space, space } from "./space";

interface GridProps extends ComponentProps<"div"> {
  as?: "div" | "ul" | "ol";
  /** How many columns there are. */
  cols?: number;
  /** How many there are where the window is wide. */
  wideCols?: number;
  gap?: Space;
}

/** Columns of the same width. */
export function Grid(props: GridProps) {
  const { as = "div", cols = 1, wideCols = cols, gap = "md", className, ...rest } = props;
  const Tag = as as "div";
  const style = { "--cols": cols, "--wide-cols": wideCols, gap: space(gap) } as CSSProperties;
  return <Tag {...rest} className={classes(styles.grid, className)} style={style} />;
}
