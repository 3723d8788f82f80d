/** The years of which the site tells what became of learners, the newest first. */
export const successYears = [2025, 2024, 2022] as const;
export type SuccessYearNumber = (typeof successYears)[number];
