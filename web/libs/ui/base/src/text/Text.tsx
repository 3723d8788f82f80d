import type { ComponentProps } from "react";
import { classes } from "../layout/classes";
import { marginsOf, type Margins } from "../layout/space";
import styles from "./text.module.css";

interface TextProps extends ComponentProps<"p">, Margins {
  as?: "p" | "span" | "div";
  size?: "sm" | "md";
  /** For less important text. */
  dimmed?: boolean;
  /** Red, for an error or for emphasis. */
  accent?: boolean;
  bold?: boolean;
}

/** A paragraph of a screen. */
export function Text(props: TextProps) {
  const { as = "p", size = "md", dimmed, accent, bold, className, mt, mb, ...rest } = props;
  const Tag = as as "p";
  return (
    <Tag
      {...rest}
      className={classes(
        styles.text,
        dimmed && "kn-soft",
        accent && "kn-accent",
        bold && "kn-bold",
        className,
      )}
      style={marginsOf({ mt, mb })}
      data-size={size}
    />
  );
}
