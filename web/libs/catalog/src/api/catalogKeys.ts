/** Query keys of the catalogue. None of them belongs to a person. */
export const catalogueKeys = {
  home: ["home"],
  courses: ["course", "list"],
  course: (id: number) => ["course", id],
  teachers: ["teacher", "list"],
  teacher: (id: number) => ["teacher", id],
  voices: (course: number) => ["voices", course],
  suggestions: (typed: string) => ["suggest", typed],
} as const;
