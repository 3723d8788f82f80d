import type { ComponentProps } from "react";
import { classes } from "./classes";
import styles from "./layout.module.css";
import { marginsOf, type Margins, type Space, space } from "./space";
import type { BlockTag } from "./tags";

interface StackProps extends ComponentProps<"div">, Margins {
  as?: BlockTag;
  gap?: Space;
  /** Without it the children have the width of the stack. */
  align?: "start" | "center";
}

/** Children one below the other. */
export function Stack({ as = "div", gap = "md", align, className, mt, mb, ...rest }: StackProps) {
  const Tag = as as "div";
  const style = { gap: space(gap), justifyItems: align, ...marginsOf({ mt, mb }) };
  return <Tag {...rest} className={classes(styles.stack, className)} style={style} />;
}
