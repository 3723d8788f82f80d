import { describe, expect, test } from "vitest";
import { surroundingsOf, targetOf, wayOut } from "./outside";

const ORIGIN = "https://www.konomana.example";

const agents = {
  lineOnIphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76 Safari Line/15.8.1",
  lineOnAndroid:
    "Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP4A.250105.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36 Line/15.9.0/IAB",
  tiktokOnIphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 musical_ly_40.5.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/ja Region/JP BytedanceWebview/d8a21c6",
  tiktokOnAndroid:
    "Mozilla/5.0 (Linux; Android 14; SO-51D Build/67.2.A.2.118; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36 trill_400503 JsSdk/1.0 NetType/4G Channel/googleplay AppName/trill app_version/40.5.3 ByteLocale/ja-JP",
  safari:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  chromeOnAndroid:
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  edge: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
  // "Line" as part of another word is not LINE's browser.
  online: "Mozilla/5.0 (X11; Linux x86_64) OnLine/2.0 Baseline/3",
} as const;

describe("app and system of a user agent", () => {
  test.each([
    ["lineOnIphone", "line", "ios"],
    ["lineOnAndroid", "line", "android"],
    ["tiktokOnIphone", "tiktok", "ios"],
    ["tiktokOnAndroid", "tiktok", "android"],
    ["safari", null, "ios"],
    ["chromeOnAndroid", null, "android"],
    ["edge", null, "other"],
    ["online", null, "other"],
  ] as const)("%s", (name, app, system) => {
    expect(surroundingsOf(agents[name])).toEqual({ app, system });
  });
});

describe("target of a bridge page", () => {
  test.each(["/course/101", "/campaign/exam-student?campaign=line-12#plan", "/"])(
    "is an internal path: %s",
    (to) => {
      expect(targetOf(new URLSearchParams({ to }))).toBe(to);
    },
  );

  test.each([
    "https://other.example/",
    "//other.example",
    "/\\other.example",
    "/.//other.example",
    "javascript:alert(1)",
    "course",
    "",
    "/line-bridge?to=/line-bridge",
    "/tiktok-bridge/",
  ])("is the front page instead of %s", (to) => {
    expect(targetOf(new URLSearchParams({ to }))).toBe("/");
  });

  test("is the front page without a query", () => {
    expect(targetOf(new URLSearchParams())).toBe("/");
  });
});

describe("address that leaves the in-app browser", () => {
  test("LINE opens an address with its parameter in the default browser, on every system", () => {
    for (const system of ["android", "ios"] as const) {
      expect(wayOut({ app: "line", system }, "/course?page=2#list", ORIGIN)).toBe(
        "https://www.konomana.example/course?page=2&openExternalBrowser=1#list",
      );
    }
  });

  test("Android gets an intent with the plain address as fallback", () => {
    const out = wayOut({ app: "tiktok", system: "android" }, "/course/101?campaign=tt", ORIGIN);
    expect(out).toBe(
      "intent://www.konomana.example/course/101?campaign=tt#Intent;scheme=https;" +
        "action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;" +
        "S.browser_fallback_url=https%3A%2F%2Fwww.konomana.example%2Fcourse%2F101%3Fcampaign%3Dtt;end",
    );
  });

  test("a target cannot inject fields into the intent", () => {
    const target = "/course#;package=com.other;end";
    const out = wayOut({ app: "tiktok", system: "android" }, target, ORIGIN) ?? "";
    expect(out).toMatch(/^intent:\/\/www\.konomana\.example\/course#Intent;/);
    expect(out).not.toContain("package=com.other;");
  });

  test("TikTok on an iPhone has none", () => {
    expect(wayOut({ app: "tiktok", system: "ios" }, "/", ORIGIN)).toBeNull();
  });
});
