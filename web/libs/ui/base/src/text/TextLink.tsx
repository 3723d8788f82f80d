import { Link, type LinkProps } from "react-router";
import { classes } from "../layout/classes";
import styles from "./text.module.css";

interface TextLinkProps extends LinkProps {
  size?: "sm" | "md";
  /** Inside a sentence: underlined, with the height of the line. */
  inline?: boolean;
  /** Has the colour of the surrounding text, for a link whose text is the target's name. */
  strong?: boolean;
}

/** A standalone link with a tall touch target; `to` may be an external address. */
export function TextLink({ size = "md", inline, strong, className, ...link }: TextLinkProps) {
  return (
    <Link
      {...link}
      className={classes(styles.link, className as string | undefined)}
      data-size={size}
      data-inline={inline || undefined}
      data-strong={strong || undefined}
    />
  );
}
