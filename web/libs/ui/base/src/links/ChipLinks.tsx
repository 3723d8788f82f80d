import { Link } from "react-router";
import type { Space } from "../layout/space";
import { classes } from "../layout/classes";
import { Group } from "../layout/Group";
import styles from "./ChipLinks.module.css";

/** One of several views of the same content, with its address. */
export interface ChipLink {
  to: string;
  label: string;
  /** A count beside the label. */
  count?: number;
  chosen: boolean;
}

interface ChipLinksProps {
  /** Accessible name. */
  label: string;
  chips: readonly ChipLink[];
  /** Bottom margin. */
  mb?: Space;
  /** On a phone the chips stay on one line and scroll sideways. */
  scroll?: boolean;
  /** Keeps the scroll position when another chip is chosen. */
  preventScrollReset?: boolean;
}

/**
 * Links to several views, with the current one marked. They work without scripts, and each has its
 * own address.
 */
export function ChipLinks({ label, chips, mb, scroll, preventScrollReset }: ChipLinksProps) {
  return (
    <nav aria-label={label}>
      <Group
        as="ul"
        gap="0.5rem"
        mb={mb}
        className={styles.chips}
        data-scroll={scroll || undefined}
      >
        {chips.map(({ to, label: name, count, chosen }) => (
          <li key={name}>
            <Link
              className={classes("kn-chip", styles.chip)}
              to={to}
              aria-current={chosen ? "page" : undefined}
              data-none={count === 0 || undefined}
              preventScrollReset={preventScrollReset ?? false}
            >
              {name}
              {count !== undefined && <small>{count}</small>}
            </Link>
          </li>
        ))}
      </Group>
    </nav>
  );
}
