import { Link, type LinkProps } from "react-router";
import styles from "./button.module.css";

interface ButtonLinkProps extends LinkProps {
  /** The most important step of a page is filled; others are not. */
  variant?: "filled" | "default";
  size?: "md" | "lg" | "xl";
}

/**
 * A link that looks like a button. It is what every page's header and the front page need of the kit's
 * button, without its script.
 */
export function ButtonLink({ variant = "filled", size = "md", ...link }: ButtonLinkProps) {
  return <Link {...link} className={styles.button} data-variant={variant} data-size={size} />;
}
