import { Grid } from "@konomana/ui-base";
import type { LectureLesson } from "../api";
import { paths } from "@konomana/paths";
import { Link } from "react-router";
import styles from "./lesson.module.css";

/** The lessons before and after this one. */
export function Neighbours({ lesson: { previous, next } }: { lesson: LectureLesson }) {
  return (
    <Grid as="nav" cols={2} gap="sm" aria-label="前後のレッスン">
      {previous && (
        <Link className={styles.neighbour} to={paths.lesson(previous.id)} rel="prev">
          <span>前のレッスン</span>
          {previous.name}
        </Link>
      )}
      {next && (
        <Link className={styles.neighbour} to={paths.lesson(next.id)} rel="next" data-next>
          <span>次のレッスン</span>
          {next.name}
        </Link>
      )}
    </Grid>
  );
}
