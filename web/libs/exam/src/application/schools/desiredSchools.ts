import type { DesiredSchool, DesiredSchoolBody } from "../../api";

/** The maximum rank. Ranks start at 1 and have no gap. */
export const MAX_SCHOOLS = 5;

/** 内申点 of nine subjects, each from 1 to 5. */
export const MARKS = { min: 9, max: 45 } as const;

export function toBody({ school, department, school_marks }: DesiredSchool): DesiredSchoolBody {
  return { school_id: school.id, department_id: department.id, school_marks };
}
