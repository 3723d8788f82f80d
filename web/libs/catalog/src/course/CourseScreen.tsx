import type { Course } from "@konomana/api";
import { paths } from "@konomana/paths";
import { formatDuration, Head } from "@konomana/ui";
import { Link, useLoaderData } from "react-router";
import { CourseArt, subjectColors } from "@konomana/ui/art";
import styles from "./CourseScreen.module.css";
import { Outline } from "./Outline";
import { Standing } from "./Standing";

/** One course: what it is about, who teaches it, and every lesson with its length. */
export function Component() {
  const course = useLoaderData<Course>();
  return (
    <article style={subjectColors(course.category)}>
      <Head title={course.name} description={course.summary} />
      <header className={styles.head}>
        <div className={styles.headInner}>
          <div className={styles.headText}>
            <nav aria-label="いまいる場所">
              <ol className={styles.crumbs}>
                <li>
                  <Link to={paths.courses()}>講座をさがす</Link>
                </li>
                <li>
                  <Link
                    to={paths.courses({
                      school_year: course.school_year,
                      category: course.category,
                    })}
                  >
                    {course.school_year} {course.category}
                  </Link>
                </li>
              </ol>
            </nav>
            <p className={styles.tags}>
              <span>{course.school_year}</span>
              <span>{course.category}</span>
              <span>{course.level}</span>
            </p>
            <h1>{course.name}</h1>
            <p className={styles.summary}>{course.summary}</p>
          </div>
          <div className={styles.picture}>
            <CourseArt category={course.category} schoolYear={course.school_year} />
          </div>
        </div>
      </header>
      <div className={styles.columns}>
        <div className={styles.main}>
          <section aria-labelledby="about">
            <h2 id="about">この講座について</h2>
            {course.description.split(/\n{2,}/).map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
          <Outline chapters={course.course_chapter} />
        </div>
        <aside className={styles.aside} aria-label="講座のあらまし">
          <dl className={styles.facts}>
            <div>
              <dt>レッスン</dt>
              <dd>全{course.lesson_count}本</dd>
            </div>
            <div>
              <dt>合計</dt>
              <dd>{formatDuration(course.duration_sum)}</dd>
            </div>
            <div>
              <dt>レベル</dt>
              <dd>{course.level}</dd>
            </div>
            <div>
              <dt>担当</dt>
              <dd>{course.teacher.name} 先生</dd>
            </div>
          </dl>
          <Standing course={course.id} />
        </aside>
      </div>
    </article>
  );
}
