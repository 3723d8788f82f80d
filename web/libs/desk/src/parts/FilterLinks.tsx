import { Group } from "@konomana/ui-base";
import { Link } from "react-router";
import styles from "./FilterLinks.module.css";

interface FilterLinksProps {
  /** What is chosen, for those who hear it. */
  label: string;
  options: readonly string[];
  chosen: string | undefined;
  /** The address with this choice; without an argument, with none. */
  hrefFor: (option?: string) => string;
}

/** FilterLinks as links: they work before any script runs, and every one is an address. */
export function FilterLinks({ label, options, chosen, hrefFor }: FilterLinksProps) {
  return (
    <nav aria-label={label}>
      <Group as="ul" gap="0.5rem">
        {[undefined, ...options].map((option) => (
          <li key={option ?? ""}>
            <Link
              className={styles.choice}
              to={hrefFor(option)}
              aria-current={option === chosen ? "true" : undefined}
              preventScrollReset
            >
              {option ?? "すべて"}
            </Link>
          </li>
        ))}
      </Group>
    </nav>
  );
}
