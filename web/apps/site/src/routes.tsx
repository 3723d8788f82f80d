import { routes as account } from "@konomana/account";
import { routes as catalog } from "@konomana/catalog";
import { routes as guide } from "@konomana/guide";
import { routes as desk } from "@konomana/desk";
import { routes as learning } from "@konomana/learning";
import { screens } from "@konomana/paths";
import { routes as settings } from "@konomana/settings";
import type { RouteObject } from "react-router";
import { compose } from "./router/compose";

const maintenance: RouteObject = {
  path: screens.maintenance.pattern,
  lazy: { Component: async () => (await import("./maintenance/MaintenanceScreen")).Component },
};

/** Every screen of the site, in a copy of its own for each router. */
export function createRoutes(): RouteObject[] {
  return compose([
    ...catalog,
    ...desk,
    ...guide,
    ...account,
    ...learning,
    ...settings,
    maintenance,
  ]);
}
