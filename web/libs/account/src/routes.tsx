import { screens } from "@konomana/paths";
import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  {
    path: screens.login.pattern,
    lazy: {
      Component: async () => (await import("./login/LoginScreen")).Component,
      loader: async () => (await import("./login/LoginScreen")).loader,
    },
  },
];
