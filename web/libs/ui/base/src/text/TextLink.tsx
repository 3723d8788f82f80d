import { Link, type LinkProps } from "react-router";
import { classes } from "../layout/classes";
import styles from "./text.module.css";

interface TextLinkProps extends LinkProps {
  size?: "sm" | "md";
  /** Inside a sentence: underlined, as high as the line. */
  inline?: boolean;
  /** The name of what it leads to: in the colour of the text around it. */
  strong?: boolean;
}

/** A link that stands by itself, high enough for a thumb; `to` may be an address of another site. */
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
