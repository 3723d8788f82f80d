import { paths } from "@konomana/paths";
import { formatDuration, formatPrice, Group } from "@konomana/ui-base";
import { CourseArt, subjectColors } from "@konomana/ui-base/art";
import { Link } from "react-router";
import type { CourseCardData } from "../data/courseData";
import styles from "./CourseCard.module.css";

/** One course in a list. The whole card leads to the course; its link is the name. */
export function CourseCard({ course }: { course: CourseCardData }) {
  return (
    <article className={styles.card} style={subjectColors(course.category)}>
      <div className={styles.picture}>
        <CourseArt category={course.category} schoolYear={course.school_year} />
      </div>
      <div className={styles.body}>
        <Group as="p" gap="xxs" className={styles.tags}>
          <span>{course.school_year}</span>
          <span>{course.category}</span>
          <span>{course.level}</span>
        </Group>
        <h3 className={styles.name}>
          <Link to={paths.course(course.id)}>{course.name}</Link>
        </h3>
        <p className={styles.summary}>{course.summary}</p>
        <Group as="p" gap="0rem 1rem" justify="space-between" className={styles.facts}>
          <span>
            全{course.lesson_count}レッスン・{formatDuration(course.duration_sum)}
          </span>
          <span>{course.teacher.name} 先生</span>
        </Group>
        <p className={styles.price}>
          {course.product === null ? "いまは販売していません" : formatPrice(course.product.price)}
        </p>
      </div>
    </article>
  );
}

/** Courses side by side, as many as fit. */
export function CourseCards({ courses }: { courses: readonly CourseCardData[] }) {
  return (
    <ul className={styles.cards}>
      {courses.map((course) => (
        <li key={course.id}>
          <CourseCard course={course} />
        </li>
      ))}
    </ul>
  );
}
