/** The years with published success stories of learners, newest first. */
export const successYears = [2025, 2024, 2022] as const;
export type SuccessYearNumber = (typeof successYears)[number];
