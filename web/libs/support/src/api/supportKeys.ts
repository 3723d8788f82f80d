/** The keys of the queries of notices, answers, exams and results; none of them belongs to a person. */
export const supportKeys = {
  notices: ["notices"],
  notice: (id: number) => ["notice", id],
  answers: ["answers"],
  answer: (id: number) => ["answer", id],
  entryExams: ["entry-exam"],
  success: (year: number) => ["success", year],
  courseNames: ["course-names"],
} as const;
