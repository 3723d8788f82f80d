import { applicationKeys } from "@konomana/exam-card";
import { useQueryClient } from "@tanstack/react-query";

/** Asks anew for everything that an application shows; resolves when the open screen has it. */
export function useRenewSheet(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: applicationKeys.all });
}
