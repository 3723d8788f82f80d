import type { ComponentProps } from "react";
import { classes } from "../layout/classes";
import styles from "./notice.module.css";

interface AlertProps extends ComponentProps<"div"> {
  /** Red for an error, blue for information, gray for something that has ended. */
  color: "red" | "blue" | "gray";
  title?: string;
}

/** A permanent message inside a page. A red one is announced when it appears. */
export function Alert({ color, title, className, children, ...rest }: AlertProps) {
  return (
    <div
      role={color === "red" ? "alert" : undefined}
      {...rest}
      className={classes(styles.alert, className)}
      data-color={color}
    >
      {title !== undefined && <div className="kn-bold">{title}</div>}
      <div className={styles.alertText}>{children}</div>
    </div>
  );
}
