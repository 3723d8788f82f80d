import type { ComponentProps, CSSProperties } from "react";
import { classes } from "./classes";
import styles from "./layout.module.css";
import { marginsOf, type Margins, type Space, space } from "./space";
import type { BlockTag } from "./tags";

interface GridProps extends ComponentProps<"div">, Margins {
  as?: BlockTag;
  /** How many columns there are. */
  cols?: number;
  /** How many there are where the window is wide. */
  wideCols?: number;
  /** In place of a number: as many columns as have room, each at least so wide. */
  min?: `${number}rem`;
  /** With `min`: a few fill the whole line. */
  fill?: boolean;
  gap?: Space;
}

/** Columns of the same width; what stands in one is as high as its line. */
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
