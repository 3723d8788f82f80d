import { applicationKeys } from "@konomana/exam-card";
import { useQueryClient } from "@tanstack/react-query";

/**
 * Invalidates everything that an application shows. Resolves when the open screen has the new data.
 */
export function useRenewSheet(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: applicationKeys.all });
}
