import { Link } from "react-router";
import styles from "./ListTabs.module.css";

/** One of several lists, and where it is. */
export interface Choice {
  to: string;
  label: string;
  chosen: boolean;
}

interface ListTabsProps {
  /** What is chosen here, for those who hear it. */
  label: string;
  choices: readonly Choice[];
}

/** Links of which one is where the learner is. */
export function ListTabs({ label, choices }: ListTabsProps) {
  return (
    <nav aria-label={label}>
      <ul className={styles.choices}>
        {choices.map(({ to, label: name, chosen }) => (
          <li key={to}>
            <Link className={styles.choice} to={to} aria-current={chosen ? "true" : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
