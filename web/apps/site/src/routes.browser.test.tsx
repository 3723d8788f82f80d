import { allScreens } from "@konomana/paths";
import { matchRoutes, type RouteObject } from "react-router";
import { expect, test } from "vitest";
import { createRoutes } from "./routes";

function patterns(routes: readonly RouteObject[]): string[] {
  return routes.flatMap(({ path, children }) => [
    ...(path === undefined ? [] : [path]),
    ...patterns(children ?? []),
  ]);
}

test("every screen of the table has its route, and nothing else has one", () => {
  expect(patterns(createRoutes()).toSorted()).toEqual(
    ["*", ...allScreens.map(({ pattern }) => pattern)].toSorted(),
  );
});

test("spec §6: the sign-in rule of routes marked auth is enforced before the page opens", () => {
  const signedIn = allScreens.filter(({ scope }) => scope !== undefined);
  expect(signedIn.length).toBeGreaterThan(0);
  for (const { pattern, scope } of signedIn) {
    const route = matchRoutes(createRoutes(), pattern.replace(":id", "1"))?.at(-1)?.route;
    expect(route?.path).toBe(pattern);
    expect(route?.middleware?.length).toBeGreaterThanOrEqual(scope === "any" ? 1 : 2);
  }
});

test("two routers do not share what they load", () => {
  const [one, other] = [createRoutes(), createRoutes()].map(
    (routes) => matchRoutes(routes, "/course")?.at(-1)?.route,
  );
  expect(one?.lazy).not.toBe(other?.lazy);
});
