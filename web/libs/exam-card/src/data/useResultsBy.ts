import { useAtServerTime } from "@konomana/query";
import { resultsBy } from "./times";

/** The date by which the results are published, or that they are available, by the server's clock. */
export function useResultsBy(results_at: string): string | null {
  return useAtServerTime([results_at], (now) => resultsBy(results_at, now));
}
