/**
 * The catalogue's structured data for search engines (schema.org). Only the prerender writes it.
 */
import type { Course, Teacher } from "./api";
import { paths } from "@konomana/paths";
import type { CourseData, CourseList } from "./data/courseData";

type Absolute = (path: string) => string;

const CONTEXT = "https://schema.org";

function organization(absolute: Absolute) {
  return {
    "@type": "EducationalOrganization",
    "@id": absolute("/#organization"),
    name: "コノマナ",
    url: absolute(paths.home()),
    logo: absolute("/favicon.svg"),
  };
}

/** A duration in ISO 8601: 9,436 seconds are `PT2H37M`. */
function isoDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `PT${Math.floor(minutes / 60)}H${minutes % 60}M`;
}

function courseItem(course: Course, absolute: Absolute): object {
  const { id, name, summary, category, school_year, level, duration_sum, product } = course;
  const url = absolute(paths.course(id));
  return {
    "@context": CONTEXT,
    "@type": "Course",
    "@id": url,
    url,
    name,
    description: summary,
    inLanguage: "ja",
    about: category,
    educationalLevel: `${school_year} ${level}`,
    provider: organization(absolute),
    syllabusSections: course.course_chapter.map((chapter) => ({
      "@type": "Syllabus",
      name: chapter.name,
    })),
    hasCourseInstance: {
      "@type": "CourseInstance",
      courseMode: "Online",
      courseWorkload: isoDuration(duration_sum),
      instructor: {
        "@type": "Person",
        name: course.teacher.name,
        url: absolute(paths.teacher(course.teacher.id)),
      },
    },
    ...(product !== null && {
      offers: {
        "@type": "Offer",
        category: "Paid",
        price: product.price,
        priceCurrency: "JPY",
        url,
        ...(product.sale_ends_at !== null && { priceValidUntil: product.sale_ends_at }),
      },
    }),
  };
}

export const home = (_: unknown, absolute: Absolute) => [
  { "@context": CONTEXT, ...organization(absolute) },
  {
    "@context": CONTEXT,
    "@type": "WebSite",
    name: "コノマナ",
    url: absolute(paths.home()),
    inLanguage: "ja",
    publisher: { "@id": absolute("/#organization") },
  },
];

export const list = ({ courses }: CourseList, absolute: Absolute) => [
  {
    "@context": CONTEXT,
    "@type": "ItemList",
    itemListElement: courses.map(({ id, name }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      url: absolute(paths.course(id)),
    })),
  },
];

export const course = ({ course: shown }: CourseData, absolute: Absolute) => [
  courseItem(shown, absolute),
];

export const teacher = ({ id, name, subjects, career }: Teacher, absolute: Absolute) => [
  {
    "@context": CONTEXT,
    "@type": "Person",
    "@id": absolute(paths.teacher(id)),
    url: absolute(paths.teacher(id)),
    name,
    description: career,
    jobTitle: "講師",
    knowsAbout: subjects,
    worksFor: organization(absolute),
  },
];
