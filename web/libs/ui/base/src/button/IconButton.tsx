import type { ComponentProps } from "react";
import { classes } from "../layout/classes";
import styles from "./button.module.css";

interface IconButtonProps extends ComponentProps<"button"> {
  /** Accessible name. */
  "aria-label": string;
}

/** A button without words, large enough for a thumb. */
export function IconButton({ className, ...rest }: IconButtonProps) {
  return <button type="button" {...rest} className={classes(styles.icon, className)} />;
}

/** A button that closes what it stands in. */
export function CloseButton(props: IconButtonProps) {
  return <IconButton {...props} className={classes(styles.close, props.className)} />;
}
