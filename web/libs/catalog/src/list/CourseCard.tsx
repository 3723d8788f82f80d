import { paths } from "@konomana/paths";
import {
  formatDuration,
  formatPrice,
  formatSaleEnd,
  Group,
  Tag,
  Panel,
  CoverLink,
  Note,
  Grid,
} from "@konomana/ui-base";
import type { ComponentType } from "react";
import { CourseArt, subjectColors } from "@konomana/ui-base/art";
import type { CourseCardData } from "../data/courseData";
import styles from "./CourseCard.module.css";

/** One course in a list. The whole card leads to the course; its link is the name. */
function CourseCard({
  course,
  Action,
}: Pick<CourseCardsProps, "Action"> & { course: CourseCardData }) {
  return (
    <Panel as="article" variant="raised" pad="none" className={styles.card}>
      <div className={styles.picture}>
        <CourseArt category={course.category} schoolYear={course.school_year} />
      </div>
      <div className={styles.body} style={subjectColors(course.category)}>
        <Group as="p" gap="xxs">
          <Tag variant="subject">{course.school_year}</Tag>
          <Tag variant="subject">{course.category}</Tag>
          <Tag variant="subject">{course.level}</Tag>
        </Group>
        <h3>
          <CoverLink to={paths.course(course.id)}>{course.name}</CoverLink>
        </h3>
        <Note>{course.summary}</Note>
        <Group as="p" gap="0rem 1rem" justify="space-between" className="kn-ruled kn-soft kn-fine">
          <span>
            全{course.lesson_count}レッスン・{formatDuration(course.duration_sum)}
          </span>
          <span>{course.teacher.name} 先生</span>
        </Group>
        <p className="kn-bold kn-end">
          {course.product === null ? "いまは販売していません" : formatPrice(course.product.price)}
        </p>
        {course.product?.sale_ends_at && (
          <Note className="kn-end">{formatSaleEnd(course.product.sale_ends_at)}</Note>
        )}
        {Action !== undefined && <Action course={course} />}
      </div>
    </Panel>
  );
}

interface CourseCardsProps {
  courses: readonly CourseCardData[];
  /** Minimum width of a card. */
  min?: `${number}rem`;
  /** Actions for a course, below its price. */
  Action?: ComponentType<{ course: CourseCardData }>;
}

/** A responsive grid of courses. */
export function CourseCards({ courses, min = "18.5rem", Action }: CourseCardsProps) {
  return (
    <Grid as="ul" min={min} gap="clamp(1rem, 2.5vw, 1.5rem)">
      {courses.map((course) => (
        <li key={course.id}>
          <CourseCard course={course} Action={Action} />
        </li>
      ))}
    </Grid>
  );
}
