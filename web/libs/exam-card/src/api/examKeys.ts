import { PERSONAL } from "@konomana/http";

const exam = ["exam"] as const;
const application = [...PERSONAL, "application"] as const;

/** The query keys of public exam data. */
export const examKeys = {
  list: [...exam, "list"] as const,
  checks: [...exam, "check"] as const,
  check: (id: number) => [...exam, "check", id] as const,
  schools: (page: string) => [...exam, "school", { page }] as const,
};

/** The query keys of a learner's applications. `all` is their common prefix. */
export const applicationKeys = {
  all: application,
  list: [...application, "list"] as const,
  one: (id: number) => [...application, id] as const,
  result: (id: number) => [...application, id, "result"] as const,
  paperResult: (id: number, paper: number) => [...application, id, "result", paper] as const,
  judgement: (id: number, school: number, department: number) =>
    [...application, id, "judgement", school, department] as const,
};
