import type { ComponentProps, CSSProperties } from "react";
import { classes } from "./classes";
import styles from "./layout.module.css";
import { marginsOf, type Margins, type Space, space } from "./space";
import type { BlockTag } from "./tags";

interface GridProps extends ComponentProps<"div">, Margins {
  as?: BlockTag;
  /** Number of columns. */
  cols?: number;
  /** Number of columns in a wide window. */
  wideCols?: number;
  /** Minimum width of a column, instead of a number of columns: as many as fit. */
  min?: `${number}rem`;
  /** With `min`: a few columns fill the whole row. */
  fill?: boolean;
  gap?: Space;
}

/** A grid of columns of equal width; the cells of a row have equal height. */
export function Grid(props: GridProps) {
  const { as = "div", cols = 1, wideCols = cols, min, fill, gap = "md", ...others } = props;
  const { className, mt, mb, ...rest } = others;
  const Tag = as as "div";
  const style = {
    gap: space(gap),
    ...marginsOf({ mt, mb }),
    ...(min === undefined ? { "--cols": cols, "--wide-cols": wideCols } : { "--min": min }),
  } as CSSProperties;
  return (
    <Tag
      {...rest}
      className={classes(styles.grid, className)}
      style={style}
      data-columns={min === undefined ? "some" : fill ? "fit" : "fill"}
    />
  );
}
