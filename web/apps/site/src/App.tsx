import { UiProvider } from "@konomana/ui";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** What every screen stands on, in the browser and while prerendering. */
export function App({ queries, children }: { queries: QueryClient; children: ReactNode }) {
  return (
    <QueryClientProvider client={queries}>
      <UiProvider>{children}</UiProvider>
    </QueryClientProvider>
  );
}
