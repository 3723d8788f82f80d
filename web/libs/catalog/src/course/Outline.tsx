import type { Chapter, Unit } from "@konomana/api";
import { formatDuration } from "@konomana/ui";
import styles from "./Outline.module.css";

function lengthOf(units: readonly Unit[]): number {
  return units.flatMap((unit) => unit.lessons).reduce((sum, lesson) => sum + lesson.duration, 0);
}

/** The table of contents: chapters, units, and lessons with what they teach and how long they take. */
export function Outline({ chapters }: { chapters: readonly Chapter[] }) {
  return (
    <section className={styles.outline} aria-labelledby="outline">
      <h2 id="outline">レッスンの内容</h2>
      {chapters.map((chapter, index) => (
        <details key={chapter.id} className={styles.chapter} open>
          <summary>
            <h3>
              <span className={styles.ordinal}>第{index + 1}章</span>
              {chapter.name}
            </h3>
            <span className={styles.sum}>
              {chapter.units.reduce((sum, unit) => sum + unit.lessons.length, 0)}本・
              {formatDuration(lengthOf(chapter.units))}
            </span>
          </summary>
          {chapter.units.map((unit) => (
            <section key={unit.id} className={styles.unit} aria-label={unit.name}>
              <h4>{unit.name}</h4>
              <ol>
                {unit.lessons.map((lesson) => (
                  <li key={lesson.id} className={styles.lesson}>
                    <p className={styles.name}>{lesson.name}</p>
                    <p className={styles.length}>{formatDuration(lesson.duration)}</p>
                    <p className={styles.teaches}>{lesson.summary}</p>
                  </li>
                ))}
              </ol>
            </section>
          ))}
        </details>
      ))}
    </section>
  );
}
