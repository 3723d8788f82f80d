import type { ComponentProps } from "react";
import { classes } from "../layout/classes";
import { type Margins, textStyle } from "../layout/space";
import styles from "./text.module.css";

interface NoteProps extends ComponentProps<"p">, Margins {
  as?: "p" | "span" | "div" | "small" | "dt" | "figcaption";
  size?: "xs" | "sm" | "md";
}

/** Secondary text: smaller and softer, with the line height of its surroundings. */
export function Note({ as = "p", size = "sm", className, mt, mb, ...rest }: NoteProps) {
  const Tag = as as "p";
  return (
    <Tag
      {...rest}
      className={classes(styles.note, className)}
      style={textStyle(size, { mt, mb })}
    />
  );
}
