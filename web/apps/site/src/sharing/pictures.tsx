import type { Answer } from "@konomana/http";
import { paths } from "@konomana/paths";
import { formatDuration } from "@konomana/ui-base";
import { CourseArt, Portrait, subjectOf } from "@konomana/ui-base/art";
import drawnArt from "@konomana/ui-base/art.svg?raw";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Snapshot } from "../siteSnapshot";
import { linesOf, widthOf } from "./lines";
import { SHARE_SIZE, type SharePicture } from "./sharingTags";

type Course = Answer<"GET", "/api/lms/course/{id}/">;
type Teacher = Answer<"GET", "/api/lms/teacher/{id}/">;

/** The font family of all text. The script that renders the pictures provides the font. */
const FONT = "BIZ UDPGothic";

/** The position and size of the art. */
const FRAME = { x: 690, y: 150, width: 462, height: 330 } as const;

/** A share picture with its SVG. */
interface Drawing extends SharePicture {
  /** SVG of the size `SHARE_SIZE`. */
  readonly svg: string;
}

interface CardProps {
  tint: string;
  ink: string;
  /** A short label in the corner. */
  label: string;
  title: string;
  text: string;
  /** Fills the frame at the side. */
  art: ReactNode;
}

/** The design of all share pictures: text at the left, art at the right, the site's name below. */
function Card({ tint, ink, label, title, text, art }: CardProps) {
  const { width, height } = SHARE_SIZE;
  const lines = linesOf(title, 10, 3);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fontFamily={FONT}
    >
      <rect width={width} height={height} fill="#fffaf6" />
      <path d={`M${width - 520} 0h520v${height}h-460z`} fill={tint} />
      <rect x="64" y="64" width={56 + widthOf(label) * 32} height="64" rx="32" fill={tint} />
      <text x="92" y="107" fontSize="32" fill={ink}>
        {label}
      </text>
      {lines.map((line, index) => (
        <text key={line} x="64" y={222 + index * 82} fontSize="62" fill="#21242e">
          {line}
        </text>
      ))}
      {linesOf(text, 20, 3).map((line, index) => (
        <text
          key={line}
          x="64"
          y={222 + lines.length * 82 + index * 46}
          fontSize="30"
          fill="#545a68"
        >
          {line}
        </text>
      ))}
      <g transform="translate(64 530)">
        <rect width="48" height="48" rx="13" fill="#e03131" />
        <path
          d="M24 17.3C19.5 13.5 14.3 12.6 9 13.5V33c5.3-.9 10.5 0 15 3.8 4.5-3.8 9.7-4.7 15-3.8V13.5c-5.3-.9-10.5 0-15 3.8z"
          fill="#fff"
        />
        <text x="64" y="38" fontSize="38" fill="#21242e">
          コノマナ
        </text>
      </g>
      <clipPath id="frame">
        <rect x={FRAME.x} y={FRAME.y} width={FRAME.width} height={FRAME.height} rx="36" />
      </clipPath>
      <rect
        x={FRAME.x - 8}
        y={FRAME.y - 8}
        width={FRAME.width + 16}
        height={FRAME.height + 16}
        rx="44"
        fill="#fff"
      />
      <g clipPath="url(#frame)">
        <rect {...FRAME} fill={tint} />
        <svg {...FRAME}>{art}</svg>
      </g>
    </svg>
  );
}

const site: SharePicture = {
  path: "/share/site.png",
  alt: "コノマナ。中学生・高校生のためのオンライン学習",
};

function courseOf({ id, name }: Pick<Course, "id" | "name">): SharePicture {
  return { path: `/share/course-${id}.png`, alt: `講座「${name}」の絵` };
}

function teacherOf({ id, name }: Pick<Teacher, "id" | "name">): SharePicture {
  return { path: `/share/teacher-${id}.png`, alt: `${name}先生の似顔絵` };
}

/** The share picture of a page: a course's or a teacher's own, otherwise the site's. */
export function pictureOf(pattern: string, id: number, { catalogue }: Snapshot): SharePicture {
  if (pattern === paths.course.pattern) {
    const course = catalogue.courses.find((candidate) => candidate.id === id);
    if (course !== undefined) return courseOf(course);
  }
  if (pattern === paths.teacher.pattern) {
    const teacher = catalogue.teachers.find((candidate) => candidate.id === id);
    if (teacher !== undefined) return teacherOf(teacher);
  }
  return site;
}

function drawn(picture: SharePicture, card: CardProps): Drawing {
  const svg = renderToStaticMarkup(<Card {...card} />);
  // A picture is a single file, so the drawings that its art references are embedded.
  return { ...picture, svg: svg.replace(/<\/svg>$/, `${drawnArt}$&`) };
}

/** The SVG of every share picture. */
export function drawings({ catalogue }: Snapshot): Drawing[] {
  return [
    drawn(site, {
      tint: "#fff0e9",
      ink: "#c92a2a",
      label: "オンライン学習",
      title: "「わかった」を、ひとつずつ。",
      text: "中学生・高校生のためのオンライン学習",
      art: <CourseArt category="英語" schoolYear="中1" source="" />,
    }),
    ...catalogue.courses.map((course) => {
      const { tint, ink } = subjectOf(course.category);
      return drawn(courseOf(course), {
        tint,
        ink,
        label: `${course.school_year} ${course.category}`,
        title: course.name,
        text: `全${course.lesson_count}レッスン・${formatDuration(course.duration_sum)}`,
        art: <CourseArt category={course.category} schoolYear={course.school_year} source="" />,
      });
    }),
    ...catalogue.teachers.map((teacher) => {
      const { tint, ink } = subjectOf(teacher.subjects[0] ?? "");
      return drawn(teacherOf(teacher), {
        tint,
        ink,
        label: teacher.subjects.join("・"),
        title: `${teacher.name} 先生`,
        text: `${teacher.message.split("。")[0]}。`,
        art: <Portrait id={teacher.id} source="" />,
      });
    }),
  ];
}
