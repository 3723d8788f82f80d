import { sharedStorage } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import { ensureUser } from "@konomana/session";
import { queryOptions } from "@tanstack/react-query";
import { findSheet, type Sheet, sheetQuery } from "../../api";
import { mayPass } from "../protocol/mayPass";

const KEY = "konomana.exam-sheet";

interface StoredSheet {
  learner: string;
  sheet: Sheet;
}

/** A copy of the running exam's sheet in this browser, with only the fields that a sitting needs. */
export const sheetCopy = {
  keep: (learner: string, sheet: Sheet): void => {
    const { exam, state, has_seat, stage, papers, time_percent } = sheet;
    const copy: Sheet = {
      exam,
      state,
      has_seat,
      stage,
      papers,
      time_percent,
      basic_info: null,
      candidate_number: null,
      desired_schools: [],
      device_checks: [],
    };
    sharedStorage.writeJson(KEY, { learner, sheet: copy } satisfies StoredSheet);
  },

  /** Returns `null` for another exam or another learner. */
  find: (learner: string, exam: number): Sheet | null => {
    const stored = sharedStorage.readJson(KEY) as Partial<StoredSheet> | null;
    const { sheet } = stored ?? {};
    return stored?.learner === learner && sheet?.exam?.id === exam ? sheet : null;
  },

  forget: (): void => sharedStorage.remove(KEY),
};

/** The sheet of an exam. The sheet of the running exam is available without the server too. */
export const runningSheetQuery = (exam: number) =>
  queryOptions({
    ...sheetQuery(exam),
    queryFn: async ({ signal }): Promise<Sheet> => {
      try {
        return await findSheet(exam, signal);
      } catch (error) {
        const user = error instanceof ApiError && mayPass(error) ? await ensureUser() : null;
        const copy = user === null ? null : sheetCopy.find(user.id, exam);
        if (copy === null) throw error;
        return copy;
      }
    },
  });
