import type { Course, CourseSummary, Home, Teacher, TeacherSummary } from "./api";
import {
  facetsOf,
  listData,
  PAGE_SIZE,
  pagesOf,
  TEACHERS_PAGE_SIZE,
  toCard,
  toTeacherCard,
} from "./data/courseData";
import { homeData, type NewsSource } from "./data/home";
import { type CatalogueSource, notThere } from "./data/catalogueSource";

/** How many of each the front page shows; the API uses the same number. */
const FEATURED = 6;
const TEACHERS = 6;

/** The catalogue as exported for a build, in the order of the API's lists. */
export interface Snapshot {
  readonly courses: readonly Course[];
  readonly teachers: readonly Teacher[];
}

/** Computes the API's answer for the front page from courses and teachers in list order. */
export function homeOf(
  courses: readonly CourseSummary[],
  teachers: readonly TeacherSummary[],
): Home {
  const shelves = new Map<string, Home["shelves"][number]>();
  for (const { school_year, category, lesson_count, duration_sum } of courses) {
    const key = `${school_year} ${category}`;
    const shelf = shelves.get(key) ?? {
      school_year,
      category,
      course_count: 0,
      lesson_count: 0,
      duration_sum: 0,
    };
    shelf.course_count += 1;
    shelf.lesson_count += lesson_count;
    shelf.duration_sum += duration_sum;
    shelves.set(key, shelf);
  }
  const firsts = courses.filter(
    ({ category }, place) => courses.findIndex((course) => course.category === category) === place,
  );
  const others = courses.filter((course) => !firsts.includes(course));
  return {
    shelves: [...shelves.values()],
    featured: [...firsts, ...others].slice(0, FEATURED),
    teachers: teachers.slice(0, TEACHERS),
  };
}

/** The source at build time: it reads the exported snapshot, so that a build needs no API. */
export function snapshotSource({ courses, teachers }: Snapshot, news: NewsSource): CatalogueSource {
  const cards = courses.map(toCard);
  const teacherOf = (id: number) => teachers.find((teacher) => teacher.id === id);
  return {
    home: async () => homeData(homeOf(courses, teachers), news, new Date()),
    list: async (filters) =>
      listData(filters, {
        count: cards.length,
        facets: facetsOf(cards),
        results: courses.slice(0, PAGE_SIZE),
      }),
    async course(id) {
      const course = courses.find((candidate) => candidate.id === id);
      if (course === undefined) throw notThere();
      const teacher = teacherOf(course.teacher.id);
      return { course, teacher: teacher === undefined ? null : toTeacherCard(teacher) };
    },
    teachers: async (page) => ({
      page,
      pages: pagesOf(teachers.length, TEACHERS_PAGE_SIZE),
      teachers: teachers.slice(0, TEACHERS_PAGE_SIZE).map(toTeacherCard),
    }),
    async teacher(id) {
      const teacher = teacherOf(id);
      if (teacher === undefined) throw notThere();
      return teacher;
    },
  };
}
