import type { ComponentProps, CSSProperties } from "react";
import { classes } from "./classes";
import styles from "./Container.module.css";
import type { BlockTag } from "./tags";

interface ContainerProps extends ComponentProps<"div"> {
  as?: BlockTag | "main";
  /** For pages that are read, not looked through. */
  narrow?: boolean;
  /** A section of a long page, well away from the one above. */
  section?: boolean;
}

/** As wide as a page may be, in the middle of the window. */
export function Container({ as = "div", narrow, section, className, ...rest }: ContainerProps) {
  const Tag = as as "div";
  return (
    <Tag
      {...rest}
      className={classes("kn-container", styles.container, className)}
      style={narrow ? ({ "--width": "46rem" } as CSSProperties) : undefined}
      data-section={section || undefined}
    />
  );
}
