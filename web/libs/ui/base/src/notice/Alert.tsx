import type { ComponentProps } from "react";
import { classes } from "../layout/classes";
import styles from "./notice.module.css";

interface AlertProps extends ComponentProps<"div"> {
  /** Red where something went wrong, blue for what is good to know, gray for what is over. */
  color: "red" | "blue" | "gray";
  title?: string;
}

/** A message inside a page that stays. What went wrong is read out as it appears. */
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
