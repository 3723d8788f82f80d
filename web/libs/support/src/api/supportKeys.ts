/** The query keys of notices, answers, exams and results. They do not depend on the user. */
export const supportKeys = {
  notices: ["notices"],
  notice: (id: number) => ["notice", id],
  answers: ["answers"],
  answer: (id: number) => ["answer", id],
  entryExams: ["entry-exam"],
  success: (year: number) => ["success", year],
  courseNames: ["course-names"],
} as const;
