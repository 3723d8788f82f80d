import type { ComponentProps, CSSProperties, Ref } from "react";
import { classes } from "./classes";
import layout from "./layout.module.css";
import styles from "./Panel.module.css";
import { marginsOf, type Margins, type Space, space } from "./space";
import type { BlockTag } from "./tags";

interface PanelProps extends Omit<ComponentProps<"details">, "ref">, Margins {
  ref?: Ref<HTMLElement>;
  as?: BlockTag;
  /** `sheet` has a border, `raised` has a shadow, `tint` is flat. */
  variant?: "sheet" | "raised" | "tint";
  /** Padding; larger on a wide screen. */
  pad?: "none" | "md" | "lg" | Space;
  /** Gap between stacked children. */
  gap?: Space;
  align?: "start" | "center";
}

const pads: Readonly<Record<string, string>> = {
  none: "0",
  md: "clamp(1rem, 3vw, 1.5rem)",
  lg: "clamp(1.25rem, 4vw, 2rem)",
};

/** A box on the page's background. A `CoverLink` inside makes the whole panel clickable. */
export function Panel(props: PanelProps) {
  const { as = "div", variant = "sheet", pad = "md", gap, align, ...others } = props;
  const { ref, className, mt, mb, ...rest } = others;
  const Tag = as as "details";
  const style = {
    "--pad": pads[pad] ?? space(pad as Space),
    gap: space(gap),
    justifyItems: align,
    ...marginsOf({ mt, mb }),
  } as CSSProperties;
  return (
    <Tag
      {...rest}
      ref={ref as Ref<HTMLDetailsElement>}
      className={classes(styles.panel, gap === undefined ? undefined : layout.stack, className)}
      style={style}
      data-variant={variant}
    />
  );
}
