import type { Note } from "../api";
import { paths } from "@konomana/paths";
import { Link } from "react-router";
import { clock } from "./clock";
import styles from "./NoteText.module.css";

interface NoteTextProps {
  note: Note;
  /** The video can't be opened. */
  locked?: boolean;
}

/** A note as it was written, after the second it belongs to, which leads there. */
export function NoteText({ note: { lesson, at, text }, locked = false }: NoteTextProps) {
  return (
    <div className={styles.note}>
      {locked ? (
        <span className={styles.at}>{clock(at)}</span>
      ) : (
        <Link
          className={styles.at}
          to={paths.lecture(lesson.id, { at })}
          aria-label={`${clock(at)}から見る`}
        >
          {clock(at)}
        </Link>
      )}
      <p className={styles.text}>{text}</p>
    </div>
  );
}
