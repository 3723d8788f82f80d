import { ChipLinks } from "@konomana/ui-base";
import type { InventoryItem } from "@konomana/learner";
import { paths } from "@konomana/paths";

interface CourseFilterProps {
  items: readonly InventoryItem[];
  /** The course filter; null is all courses. */
  course: number | null;
}

/** Filters the starred lessons by one course of the learner. */
export function CourseFilter({ items, course }: CourseFilterProps) {
  if (items.length < 2) return null;
  const courses = items.map((item) => ({
    to: paths.favorites({ course: item.course.id }),
    label: item.course.name,
    chosen: course === item.course.id,
  }));
  return (
    <ChipLinks
      scroll
      mb="lg"
      label="講座でしぼりこむ"
      chips={[{ to: paths.favorites(), label: "すべて", chosen: course === null }, ...courses]}
    />
  );
}
