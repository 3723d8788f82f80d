import { ApiError } from "@konomana/api";
import { useQuery } from "@tanstack/react-query";

/** What the server says of a link: dead, or alive and what it is about. */
type Checked<Answer> = { alive: false } | { alive: true; answer: Answer };

/** Looks whether a mail's link still works, which changes nothing. */
export function useLinkCheck<Answer>(
  key: readonly string[],
  look: (signal: AbortSignal) => Promise<Answer>,
) {
  return useQuery<Checked<Answer>>({
    queryKey: ["link", ...key],
    queryFn: async ({ signal }) => {
      try {
        return { alive: true, answer: await look(signal) };
      } catch (error) {
        if (error instanceof ApiError && error.code === "LINK_DEAD") return { alive: false };
        throw error;
      }
    },
    // Asked once while the screen is open: the server says it again when the link is used.
    gcTime: 0,
    staleTime: Infinity,
  });
}
