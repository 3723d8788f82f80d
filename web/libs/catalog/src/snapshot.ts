import type { Course } from "@konomana/api";
import { homeData, listData, PAGE_SIZE, toCard } from "./data/catalogue";
import { type CatalogueSource, noSuchCourse } from "./data/source";

/** The catalogue as it was exported for a build, in the order of the API's list. */
export interface Snapshot {
  readonly courses: readonly Course[];
}

/** The source at build time: the exported snapshot, so that a build needs no API. */
export function snapshotSource({ courses }: Snapshot): CatalogueSource {
  const cards = courses.map(toCard);
  return {
    home: async () => homeData(cards),
    list: async (filters) => listData(filters, cards.length, cards.slice(0, PAGE_SIZE)),
    async course(id) {
      const course = courses.find((candidate) => candidate.id === id);
      if (course === undefined) throw noSuchCourse();
      return course;
    },
  };
}
