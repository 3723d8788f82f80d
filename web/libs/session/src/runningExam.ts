import { sharedStorage } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import type { User } from "./sessionApi";

const KEY = "konomana.running-exam";

/** A running exam and its learner. */
interface RunningExam {
  exam: number;
  user: User;
}

/**
 * The running exam of this browser. Until the hand-in, its screens stay open during a maintenance and
 * after the end of the session, and open for its learner without the server. A sign-out or a login
 * removes it, because the next user of the device may be another person.
 */
export const runningExam = {
  keep: (exam: number, user: User): void => {
    sharedStorage.writeJson(KEY, { exam, user } satisfies RunningExam);
  },

  forget: (): void => sharedStorage.remove(KEY),

  /** Whether a path of the site, with or without a query, is a screen of the running exam. */
  isAt: (path: string): boolean => {
    const running = readRunningExam();
    if (running === null) return false;
    const [pathname] = path.split(/[?#]/);
    return (
      pathname === paths.examSitting(running.exam) || pathname === paths.examCheck(running.exam)
    );
  },
};

/** Returns the learner of the running exam, if `error` means that the server can't be reached. */
export function userWithoutServer(error: unknown, path: string): User | null {
  const isAway = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return isAway && runningExam.isAt(path) ? (readRunningExam()?.user ?? null) : null;
}

function readRunningExam(): RunningExam | null {
  const stored = sharedStorage.readJson(KEY) as Partial<RunningExam> | null;
  const { exam, user } = stored ?? {};
  return typeof exam === "number" && typeof user?.id === "string" ? { exam, user } : null;
}
