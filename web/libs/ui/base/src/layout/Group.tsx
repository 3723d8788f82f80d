import type { ComponentProps } from "react";
import { classes } from "./classes";
import styles from "./layout.module.css";
import { marginsOf, type Margins, type Space, space } from "./space";

interface GroupProps extends ComponentProps<"div">, Margins {
  as?: "div" | "nav" | "ul" | "p";
  gap?: Space;
  justify?: "center" | "space-between" | "flex-end";
}

/** Side by side, on as many lines as it takes. */
export function Group({ as = "div", gap = "md", justify, className, mt, mb, ...rest }: GroupProps) {
  const Tag = as as "div";
  const style = { gap: space(gap), justifyContent: justify, ...marginsOf({ mt, mb }) };
  return <Tag {...rest} className={classes(styles.group, className)} style={style} />;
}
