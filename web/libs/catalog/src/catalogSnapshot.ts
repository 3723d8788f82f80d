import type { Course, Teacher } from "./api";
import {
  facetsOf,
  listData,
  PAGE_SIZE,
  pagesOf,
  TEACHERS_PAGE_SIZE,
  toCard,
  toTeacherCard,
} from "./data/courseData";
import { homeData, type Told } from "./data/home";
import { type CatalogueSource, notThere } from "./data/catalogueSource";

/** The catalogue as it was exported for a build, in the order of the API's lists. */
export interface Snapshot {
  readonly courses: readonly Course[];
  readonly teachers: readonly Teacher[];
}

/** The source at build time: the exported snapshot, so that a build needs no API. */
export function snapshotSource({ courses, teachers }: Snapshot, told: Told): CatalogueSource {
  const cards = courses.map(toCard);
  const teacherOf = (id: number) => teachers.find((teacher) => teacher.id === id);
  return {
    home: async () => homeData(courses, teachers, told, new Date()),
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
