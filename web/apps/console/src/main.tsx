import { paths } from "@konomana/paths";
import { personalDataIn, startSession } from "@konomana/session";
import { Alerts, installTrustedTypes } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Console } from "./Console";

installTrustedTypes();

// Without a network a call fails with an error instead of waiting silently.
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
});

startSession({
  personal: personalDataIn(queries),
  // The console has one address and shows the sign-in form to visitors.
  navigate: () => {},
  isPrivate: () => false,
  // The site's login opens this path after a sign-out here, because the console is not a screen of
  // the site.
  currentPath: paths.mypage,
});

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Alerts />
      <Console />
    </QueryClientProvider>
  </StrictMode>,
);
