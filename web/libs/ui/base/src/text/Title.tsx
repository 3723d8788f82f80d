import type { ComponentProps } from "react";
import { classes } from "../layout/classes";
import { type Margins, textStyle } from "../layout/space";
import styles from "./text.module.css";

interface TitleProps extends ComponentProps<"h1">, Margins {
  /** The heading level. */
  order: 1 | 2 | 3;
  /** The visual size, independent of the level. */
  size?: "h2" | "h3" | "h4" | "h5" | "h6";
  dimmed?: boolean;
}

/** A heading with separate outline level and visual size. */
export function Title(props: TitleProps) {
  const { order, size = `h${order}`, dimmed, className, mt, mb, ...rest } = props;
  const Heading = `h${order}` as const;
  return (
    <Heading
      {...rest}
      className={classes(styles.title, dimmed && "kn-soft", className)}
      style={textStyle(size, { mt, mb })}
    />
  );
}
