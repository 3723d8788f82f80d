import type { ComponentProps } from "react";
import { classes } from "../layout/classes";
import styles from "./button.module.css";

interface IconButtonProps extends ComponentProps<"button"> {
  /** Accessible name. */
  "aria-label": string;
}

/** A button with an icon only, at least 44 px wide and high. */
export function IconButton({ className, ...rest }: IconButtonProps) {
  return <button type="button" {...rest} className={classes(styles.icon, className)} />;
}

/** A button that closes the element around it. */
export function CloseButton(props: IconButtonProps) {
  return <IconButton {...props} className={classes(styles.close, props.className)} />;
}
