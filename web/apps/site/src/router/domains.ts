import { addresses } from "@konomana/paths";
import type { Screen } from "@konomana/screens";
import { matchRoutes } from "react-router";

/** A part of the site whose screens are in their own library. */
export interface Domain {
  readonly addresses: Readonly<Record<string, { readonly pattern: string }>>;
  /** Loads the definitions of its screens. */
  readonly screens: () => Promise<readonly Screen[]>;
  /**
   * The source file of `screens`, relative to the workspace's root. The build of the prerender
   * fills it in.
   */
  readonly module?: string;
}

function defineDomain(domain: Domain): Domain {
  return domain;
}

/** The domains. A browser loads those whose addresses it opens. */
export const domains: readonly Domain[] = [
  defineDomain({
    addresses: addresses.catalog,
    screens: async () => (await import("@konomana/catalog")).screens,
  }),
  defineDomain({
    addresses: addresses.about,
    screens: async () => (await import("@konomana/about")).screens,
  }),
  defineDomain({
    addresses: addresses.support,
    screens: async () => (await import("@konomana/support")).screens,
  }),
  defineDomain({
    addresses: addresses.account,
    screens: async () => (await import("@konomana/account")).screens,
  }),
  defineDomain({
    addresses: addresses.learning,
    screens: async () => (await import("@konomana/learning")).screens,
  }),
  defineDomain({
    addresses: addresses.buying,
    screens: async () => (await import("@konomana/buying")).screens,
  }),
  defineDomain({
    addresses: addresses.exam,
    screens: async () => (await import("@konomana/exam")).screens,
  }),
  defineDomain({
    addresses: addresses.settings,
    screens: async () => (await import("@konomana/settings")).screens,
  }),
  defineDomain({
    addresses: addresses.teacherQuestion,
    screens: async () => (await import("@konomana/teacher-question")).screens,
  }),
  defineDomain({
    addresses: addresses.interview,
    screens: async () => (await import("@konomana/interview")).screens,
  }),
  defineDomain({
    addresses: addresses.class,
    screens: async () => (await import("@konomana/class")).screens,
  }),
  defineDomain({
    addresses: addresses.site,
    screens: async () => (await import("../maintenance/maintenanceScreen")).screens,
  }),
];

const routes = domains.flatMap((domain) =>
  Object.values(domain.addresses).map(({ pattern }) => ({ path: pattern, handle: domain })),
);

/** The screens of the domain of a path. Empty for an unknown path. */
export async function loadScreens(path: string): Promise<readonly Screen[]> {
  return (await matchRoutes(routes, path)?.at(-1)?.route.handle.screens()) ?? [];
}

/** The screen of a path. `undefined` for an unknown path. */
export async function findScreen(path: string): Promise<Screen | undefined> {
  const candidates = (await loadScreens(path)).map((screen) => ({
    path: screen.pattern,
    handle: screen,
  }));
  return matchRoutes(candidates, path)?.at(-1)?.route.handle;
}

/** Every screen of the site, in the order of the domains. */
export async function loadAllScreens(): Promise<readonly Screen[]> {
  return (await Promise.all(domains.map(({ screens }) => screens()))).flat();
}
