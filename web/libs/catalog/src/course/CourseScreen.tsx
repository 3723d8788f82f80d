import { catalogueKeys } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { addRecentlyViewed } from "@konomana/visitor";
import { formatDuration, Head, Stack, Group, Panel, Tag, Container } from "@konomana/ui-base";
import { CourseArt, subjectColors } from "@konomana/ui-base/art";
import { useEffect } from "react";
import { useLoaderData } from "react-router";
import type { CourseData } from "../data/courseData";
import { newest } from "../data/catalogueSource";
import { TeacherCard } from "../teacher/TeacherCard";
import styles from "./CourseScreen.module.css";
import { Gains } from "./Gains";
import { Outline } from "./Outline";
import { Price } from "./Price";
import { CourseActions } from "./CourseActions";
import { Videos } from "./Videos";
import { Voices } from "./Voices";

/** One course: its description, teacher, lessons with their lengths, and price. */
export function CourseScreen() {
  const loaded = useLoaderData<CourseData>();
  const { id } = loaded.course;
  const { course, teacher } = useStaleWhileRevalidate(catalogueKeys.course(id), loaded, (signal) =>
    newest.course(id, signal),
  );
  useEffect(() => addRecentlyViewed(course), [course]);
  return (
    <article style={subjectColors(course.category)}>
      <Head title={course.name} description={course.summary} />
      <header className={styles.head}>
        <Container className={`kn-columns ${styles.columns}`}>
          <div className={`kn-framed ${styles.picture} ${styles.beside}`}>
            <CourseArt category={course.category} schoolYear={course.school_year} />
          </div>
          <Stack gap="0.875rem" className={styles.text}>
            <Group as="p" gap="0.5rem">
              <Tag variant="white">{course.school_year}</Tag>
              <Tag variant="white">{course.category}</Tag>
              <Tag variant="white">{course.level}</Tag>
            </Group>
            <h1>{course.name}</h1>
            <p className="kn-column">{course.summary}</p>
            <p className="kn-subject kn-small kn-bold">
              全{course.lesson_count}レッスン・{formatDuration(course.duration_sum)}・
              {course.teacher.name} 先生
            </p>
          </Stack>
        </Container>
      </header>
      <Container className={`kn-columns ${styles.columns} ${styles.body}`}>
        <Panel
          as="aside"
          variant="raised"
          pad="1.5rem"
          gap="lg"
          className={`kn-sticky ${styles.beside}`}
          aria-label="値段と申し込み"
        >
          <Price product={course.product} />
          <CourseActions course={course.id} product={course.product?.id ?? null} />
          <Gains course={course} />
        </Panel>
        <Stack gap="clamp(2rem, 5vw, 3rem)" className={`${styles.main} ${styles.text}`}>
          <section aria-labelledby="about">
            <h2 id="about">この講座について</h2>
            {course.description.split(/\n{2,}/).map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
          <Videos course={course} />
          <Outline chapters={course.course_chapter} />
          <section aria-labelledby="teacher">
            <h2 id="teacher">担当の先生</h2>
            <TeacherCard teacher={teacher ?? course.teacher} />
          </section>
          <Voices course={course.id} />
        </Stack>
      </Container>
    </article>
  );
}
