import { Link } from "react-router";
import type { Space } from "../layout/space";
import { classes } from "../layout/classes";
import { Group } from "../layout/Group";
import styles from "./ChipLinks.module.css";

/** One of several views of the same thing, and where it is. */
export interface ChipLink {
  to: string;
  label: string;
  /** How many there are, beside the label. */
  count?: number;
  chosen: boolean;
}

interface ChipLinksProps {
  /** Accessible name. */
  label: string;
  chips: readonly ChipLink[];
  /** What stands free below them. */
  mb?: Space;
  /** On a phone the chips stay one line high and move sideways. */
  scroll?: boolean;
  /** The page stays where it is when another chip is chosen. */
  preventScrollReset?: boolean;
}

/** Links of which one is where the person is: they work before any script runs, and each is an address. */
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
