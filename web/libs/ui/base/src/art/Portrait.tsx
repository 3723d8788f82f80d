import art from "./art.svg";
import styles from "./CourseArt.module.css";
import { findLook } from "./looks";

interface PortraitProps {
  /** The teacher's id, which determines the whole drawing. */
  id: number;
  /**
   * The teacher's name, if it is not beside the portrait. Without it the portrait is hidden from
   * assistive technology.
   */
  name?: string;
  /** URL of the file with the drawings; empty if they are in the same document. */
  source?: string;
}

/** A teacher's portrait, drawn from the id. It is a square that fills its frame. */
export function Portrait({ id, name, source = art }: PortraitProps) {
  const { drawing, ground, shape } = findLook(id);
  return (
    <svg
      className={styles.art}
      viewBox="0 0 200 200"
      preserveAspectRatio="xMidYMid slice"
      focusable="false"
      {...(name === undefined
        ? { "aria-hidden": true }
        : { role: "img", "aria-label": `${name}の似顔絵` })}
    >
      <rect width="200" height="200" fill={ground} />
      <circle cx="148" cy="58" r="62" fill={shape} opacity="0.55" />
      <circle cx="26" cy="150" r="34" fill="#fff" opacity="0.5" />
      <use href={`${source}#${drawing}`} width="200" height="200" />
    </svg>
  );
}
