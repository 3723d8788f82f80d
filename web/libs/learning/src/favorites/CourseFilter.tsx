import type { InventoryItem } from "@konomana/api";
import { paths } from "@konomana/paths";
import { Link } from "react-router";
import styles from "./favorites.module.css";

interface CourseFilterProps {
  items: readonly InventoryItem[];
  /** The course that the list is narrowed to; null is all. */
  course: number | null;
}

/** Narrows the starred lessons to one course of the learner. */
export function CourseFilter({ items, course }: CourseFilterProps) {
  if (items.length < 2) return null;
  return (
    <nav aria-label="講座でしぼりこむ">
      <ul className={styles.filter}>
        <Choice to={paths.favorites()} chosen={course === null}>
          すべて
        </Choice>
        {items.map((item) => (
          <Choice
            key={item.id}
            to={paths.favorites({ course: item.course.id })}
            chosen={course === item.course.id}
          >
            {item.course.name}
          </Choice>
        ))}
      </ul>
    </nav>
  );
}

function Choice({ to, chosen, children }: { to: string; chosen: boolean; children: string }) {
  return (
    <li>
      <Link className={styles.choice} to={to} aria-current={chosen ? "true" : undefined}>
        {children}
      </Link>
    </li>
  );
}
