import { type CourseFilters, paths } from "@konomana/paths";
import { Link } from "react-router";
import { schoolYears, subjects } from "@konomana/ui/art";
import styles from "./Filters.module.css";

/** The filters as links: they work before any script runs, and every choice is an address. */
export function Filters({ filters }: { filters: CourseFilters }) {
  const { school_year, category } = filters;
  return (
    <nav className={styles.filters} aria-label="講座をしぼりこむ">
      <Choice
        label="学年"
        options={schoolYears}
        chosen={school_year}
        hrefFor={(year) => paths.courses({ school_year: year, category })}
      />
      <Choice
        label="教科"
        options={subjects.map(({ name }) => name)}
        chosen={category}
        hrefFor={(name) => paths.courses({ school_year, category: name })}
      />
    </nav>
  );
}

interface ChoiceProps {
  label: string;
  options: readonly string[];
  chosen: string | undefined;
  /** The address with this choice; without an argument, with none. */
  hrefFor: (option?: string) => string;
}

function Choice({ label, options, chosen, hrefFor }: ChoiceProps) {
  const id = `filter-${label}`;
  return (
    <div className={styles.choice}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <ul aria-labelledby={id}>
        {[undefined, ...options].map((option) => (
          <li key={option ?? ""}>
            <Link
              className={styles.option}
              to={hrefFor(option)}
              aria-current={option === chosen ? "true" : undefined}
              preventScrollReset
            >
              {option ?? "すべて"}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
