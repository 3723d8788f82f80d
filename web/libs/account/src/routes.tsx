import { screens } from "@konomana/paths";
import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: screens.login.pattern, lazy: () => import("./login/LoginScreen") },
];
