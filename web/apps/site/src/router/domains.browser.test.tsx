import { paths } from "@konomana/paths";
import { matchRoutes } from "react-router";
import { describe, expect, test } from "vitest";
import { domains, findScreen, loadAllScreens, loadScreens } from "./domains";
import { createRoutes } from "./routes";

describe("the domains", () => {
  test.each(domains.map((domain) => [Object.keys(domain.addresses).join(), domain] as const))(
    "every address has a screen, and every screen has an address: %s",
    async (_, { addresses, screens }) => {
      const patterns = Object.values(addresses).map(({ pattern }) => pattern);
      const defined = (await screens()).map(({ pattern }) => pattern);
      expect(defined.toSorted()).toEqual(patterns.toSorted());
    },
  );

  test("a path loads only the screens of its domain", async () => {
    const patterns = (await loadScreens("/mypage/settings/base")).map(({ pattern }) => pattern);
    expect(patterns).toContain(paths.settingsEmail.pattern);
    expect(patterns).not.toContain(paths.mypage.pattern);
    expect(await loadScreens("/nowhere")).toEqual([]);
  });

  test("a path gets the best matching screen", async () => {
    expect((await findScreen("/login/password/reset/complete"))?.pattern).toBe(
      paths.passwordResetComplete.pattern,
    );
    expect((await findScreen("/course/101"))?.pattern).toBe(paths.course.pattern);
    expect(await findScreen("/nowhere")).toBeUndefined();
  });
});

describe("the screens", () => {
  test("spec §2: my page is (auth), mypage layout, but a sitting custom; /mypage/recent has no auth flag", async () => {
    const sitting = new Set<string>([paths.examSitting.pattern, paths.examCheck.pattern]);
    const screens = await loadAllScreens();
    for (const screen of screens.filter(({ pattern }) => pattern.startsWith("/mypage"))) {
      expect(screen.layout).toBe(sitting.has(screen.pattern) ? "custom" : "mypage");
      expect(screen.scope === undefined).toBe(screen.pattern === paths.recent.pattern);
    }
  });

  test("spec §2: questions and results are (auth)", async () => {
    for (const path of [paths.question(7, 70), paths.result(7, 12)]) {
      expect(await findScreen(path)).toMatchObject({ layout: "lecturev2", scope: "learner" });
    }
  });

  test("screens that need sign-in are never prerendered", async () => {
    const signedIn = (await loadAllScreens()).filter(({ scope }) => scope !== undefined);
    expect(signedIn.length).toBeGreaterThan(0);
    expect(new Set(signedIn.map(({ serving }) => serving))).toEqual(new Set(["client"]));
  });

  test("spec §6: the sign-in rule of routes marked auth is enforced before the page opens", async () => {
    const screens = await loadAllScreens();
    const routes = createRoutes(screens);
    for (const { pattern, scope } of screens.filter((screen) => screen.scope !== undefined)) {
      const route = matchRoutes(routes, pattern.replaceAll(/:\w+/g, "1"))?.at(-1)?.route;
      expect(route?.path).toBe(pattern);
      expect(route?.middleware?.length).toBeGreaterThanOrEqual(scope === "any" ? 2 : 3);
    }
  });

  test("two routers do not share loaded screens", async () => {
    const screens = await loadAllScreens();
    const [one, other] = [createRoutes(screens), createRoutes(screens)].map(
      (routes) => matchRoutes(routes, "/course")?.at(-1)?.route,
    );
    expect(one?.lazy).not.toBe(other?.lazy);
  });
});
