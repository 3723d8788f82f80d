import type { ComponentProps, CSSProperties } from "react";
import { classes } from "./classes";
import styles from "./Container.module.css";
import type { BlockTag } from "./tags";

interface ContainerProps extends ComponentProps<"div"> {
  as?: BlockTag | "main";
  /** A narrow column for reading. */
  narrow?: boolean;
  /** A section of a long page, with space above. */
  section?: boolean;
}

/** The page's content column: centred, with a maximum width. */
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
