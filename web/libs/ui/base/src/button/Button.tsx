import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { classes } from "../layout/classes";
import styles from "./button.module.css";
import { type ButtonLook, lookOf } from "./look";

interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  /** An icon before the text. */
  leftSection?: ReactNode;
  /** While its action is running, a press does nothing and the focus stays. */
  busy?: boolean;
}

/** A button. For a link to another page, use `ButtonLink`. */
export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    pill,
    fullWidth,
    leftSection,
    busy,
    className,
    onClick,
    children,
    ...rest
  } = props;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      aria-disabled={busy}
      {...rest}
      {...lookOf({ variant, size, pill, fullWidth })}
      className={classes(styles.button, className)}
      onClick={press}
    >
      {leftSection}
      {children}
    </button>
  );
}
