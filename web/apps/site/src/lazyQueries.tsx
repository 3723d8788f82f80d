import type { PersonalData } from "@konomana/session";
import type { ComponentType } from "react";

type Queries = typeof import("./queryClient");

let loaded: Queries | null = null;

/** Loads the query client, with the first screen that has queries or at the sign-in. */
export async function loadQueries(): Promise<Queries> {
  loaded ??= await import("./queryClient");
  return loaded;
}

/**
 * The personal data of the signed-in user. If the query client was never loaded, there is nothing
 * to reset.
 */
export const personalData: PersonalData = {
  load: async () => (await loadQueries()).personal.load(),
  reset: () => loaded?.personal.reset(),
  clear: () => loaded?.personal.clear(),
};

/** Loads a component together with the query client and wraps it in the client's provider. */
export function withQueries<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): () => Promise<ComponentType<Props>> {
  return async () => {
    const [Component, { QueriesProvider }] = await Promise.all([load(), loadQueries()]);
    return function WithQueries(props: Props) {
      return (
        <QueriesProvider>
          <Component {...props} />
        </QueriesProvider>
      );
    };
  };
}
