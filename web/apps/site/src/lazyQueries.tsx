import type { PersonalData } from "@konomana/session";
import type { ComponentType } from "react";

type Queries = typeof import("./queryClient");

let loaded: Queries | null = null;

/** Fetches the query client: with the first screen that has queries, or when somebody signs in. */
export async function loadQueries(): Promise<Queries> {
  loaded ??= await import("./queryClient");
  return loaded;
}

/** The signed-in person's own data. Where the query client was never needed, there is none to forget. */
export const personalData: PersonalData = {
  load: async () => (await loadQueries()).personal.load(),
  reset: () => loaded?.personal.reset(),
  expect: () => loaded?.personal.expect(),
};

/** Fetches a component together with the query client, and puts it inside. */
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
