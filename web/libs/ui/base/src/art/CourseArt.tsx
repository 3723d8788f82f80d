import art from "./art.svg";
import { schoolYears, type Subject, subjectOf } from "./subjects";
import styles from "./CourseArt.module.css";

interface CourseArtProps {
  /** The subject, which selects the picture. */
  category: string;
  /** The school year, which sets the number of lit steps. */
  schoolYear: string;
  /** URL of the file with the drawings; empty if they are in the same document. */
  source?: string;
}

/**
 * The picture of a course, drawn from its subject and school year. It is fully visible in a frame
 * of any shape, and its background fills the frame. It is decorative, so it is hidden from
 * assistive technology.
 */
export function CourseArt({ category, schoolYear, source = art }: CourseArtProps) {
  const subject = subjectOf(category);
  const year = schoolYears.findIndex((name) => name === schoolYear);
  return (
    <svg
      className={styles.art}
      viewBox="0 0 320 180"
      preserveAspectRatio="xMidYMid meet"
      style={{ background: subject.tint }}
      aria-hidden="true"
      focusable="false"
    >
      <circle cx={250 - year * 14} cy="36" r="86" fill="#fff" opacity="0.55" />
      <circle cx={30 + year * 18} cy="176" r="58" fill={subject.tone} opacity="0.28" />
      <use href={`${source}#${subject.drawing}`} width="320" height="180" />
      <Stair year={year} subject={subject} />
    </svg>
  );
}

/** Six steps from 中1 to 高3; the steps up to the course's year are lit. */
function Stair({ year, subject }: { year: number; subject: Subject }) {
  return (
    <g>
      {schoolYears.map((name, step) => (
        <rect
          key={name}
          x={246 + step * 10}
          y={160 - step * 5}
          width="7"
          height={6 + step * 5}
          rx="3"
          fill={step <= year ? subject.ink : "#fff"}
        />
      ))}
    </g>
  );
}
