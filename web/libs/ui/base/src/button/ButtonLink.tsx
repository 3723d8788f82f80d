import type { Ref } from "react";
import { Link, type LinkProps } from "react-router";
import { classes } from "../layout/classes";
import styles from "./button.module.css";
import { type ButtonLook, lookOf } from "./look";

interface ButtonLinkProps extends LinkProps, ButtonLook {
  className?: string;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link that looks like a button; `to` may be an external address. */
export function ButtonLink(props: ButtonLinkProps) {
  const { variant, size, pill, fullWidth, className, ...link } = props;
  return (
    <Link
      {...link}
      {...lookOf({ variant, size, pill, fullWidth })}
      className={classes(styles.button, className)}
    />
  );
}
