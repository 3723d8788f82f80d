import { ApiError, type ErrorCode } from "@konomana/http";
import { useQuery } from "@tanstack/react-query";

/** Result of checking a link: the reason why it can't be used, or what it concerns. */
type LinkState<Answer> = { alive: false; code: ErrorCode } | { alive: true; answer: Answer };

/** Permanent refusals of a link; a retry gives the same result. */
const refusals: ReadonlySet<ErrorCode> = new Set(["LINK_DEAD", "GUARDIAN_MAILBOX"]);

/** The code of a permanent refusal, `null` for every other failure. */
export function refusalIn(error: unknown): ErrorCode | null {
  return error instanceof ApiError && refusals.has(error.code) ? error.code : null;
}

/** Checks whether a mail's link is still valid. Changes nothing. */
export function useLinkCheck<Answer>(
  key: readonly string[],
  checkLink: (signal: AbortSignal) => Promise<Answer>,
) {
  return useQuery<LinkState<Answer>>({
    queryKey: ["link", ...key],
    queryFn: async ({ signal }) => {
      try {
        return { alive: true, answer: await checkLink(signal) };
      } catch (error) {
        const code = refusalIn(error);
        if (code === null) throw error;
        return { alive: false, code };
      }
    },
    // Checked once while the screen is open: the server checks again when the link is used.
    gcTime: 0,
    staleTime: Infinity,
  });
}
