import type { ComponentProps } from "react";
import { classes } from "./classes";
import styles from "./layout.module.css";
import { marginsOf, type Margins, type Space, space } from "./space";
import type { BlockTag } from "./tags";

interface GroupProps extends ComponentProps<"div">, Margins {
  as?: BlockTag;
  gap?: Space;
  align?: "start" | "end" | "baseline" | "stretch";
  justify?: "center" | "space-between" | "flex-end";
  /** Contains actions: on a phone each fills a row. */
  actions?: boolean;
  /** No wrapping. */
  nowrap?: boolean;
}

/** Children side by side, wrapping onto as many lines as needed. */
export function Group(props: GroupProps) {
  const {
    as = "div",
    gap = "md",
    align,
    justify,
    actions,
    nowrap,
    className,
    mt,
    mb,
    ...rest
  } = props;
  const Tag = as as "div";
  const style = {
    gap: space(gap),
    alignItems: align,
    justifyContent: justify,
    flexWrap: nowrap ? ("nowrap" as const) : undefined,
    ...marginsOf({ mt, mb }),
  };
  return (
    <Tag
      {...rest}
      className={classes(styles.group, className)}
      style={style}
      data-actions={actions || undefined}
    />
  );
}
