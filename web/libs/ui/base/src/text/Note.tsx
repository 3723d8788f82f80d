import type { ComponentProps } from "react";
import { classes } from "../layout/classes";
import { type Margins, textStyle } from "../layout/space";
import styles from "./text.module.css";

interface NoteProps extends ComponentProps<"p">, Margins {
  as?: "p" | "span" | "div" | "small" | "dt" | "figcaption";
  size?: "xs" | "sm" | "md";
}

/** Words beside the matter: smaller and softer, as wide apart as what is around them. */
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
