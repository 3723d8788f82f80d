import { ApiError, type ErrorCode } from "@konomana/http";
import { useQuery } from "@tanstack/react-query";

/** What the server says of a link: why it can't be used, or what it is about. */
type Checked<Answer> = { alive: false; code: ErrorCode } | { alive: true; answer: Answer };

/** Why a link can't be used, however often it is tried. */
const refusals: ReadonlySet<ErrorCode> = new Set(["LINK_DEAD", "GUARDIAN_MAILBOX"]);

/** The code of a refusal that no second try changes; `null` for every other failure. */
export function refusalIn(error: unknown): ErrorCode | null {
  return error instanceof ApiError && refusals.has(error.code) ? error.code : null;
}

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
        const code = refusalIn(error);
        if (code === null) throw error;
        return { alive: false, code };
      }
    },
    // Asked once while the screen is open: the server says it again when the link is used.
    gcTime: 0,
    staleTime: Infinity,
  });
}
