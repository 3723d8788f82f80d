import { TitledPanel } from "@konomana/ui-base";
import type { LectureLesson } from "../api";
import { paths } from "@konomana/paths";
import { Link } from "react-router";
import { clock } from "../parts/clock";
import styles from "./lesson.module.css";

/** What the video is made of; each part can be started from here. Nothing where it is of one piece. */
export function VideoMarks({ lesson }: { lesson: LectureLesson }) {
  if (lesson.marks.length === 0) return null;
  const locked = lesson.is_expired || !lesson.has_video;
  return (
    <TitledPanel title="動画の内容">
      <ol className={styles.lines}>
        {lesson.marks.map(({ at, name }) => (
          <li key={at} className={styles.mark}>
            <span className={styles.at}>{clock(at)}</span>
            {locked ? (
              <span className={styles.name}>{name}</span>
            ) : (
              <Link className={styles.name} to={paths.lecture(lesson.id, { at })}>
                {name}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </TitledPanel>
  );
}
