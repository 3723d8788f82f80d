/** The product's HTTP headers, as a browser receives them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../fixtures/product";
import { allScreens, examplePath } from "../fixtures/screens";

/** Version, trace, span and flags of a W3C traceparent. */
const TRACEPARENT = /00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;

const EXAMS = join(import.meta.dirname, "../../../../services/exam/demo/exams");

/** The first line of each text field of that name in a paper. */
function textsIn(paper: string, field: string): string[] {
  const found = paper.matchAll(new RegExp(`^ +${field}: (?:\\|-?\\n +)?(.{8,})$`, "gm"));
  return [...found].map(([, text = ""]) => text);
}

/** Letters and digits alone: escapes of HTML, JSON and YAML hide no text. */
function plain(text: string): string {
  return text
    .replace(/&(?:#x?[0-9a-f]+|[a-z]+);|\\u[0-9a-f]{4}|\\n/gi, "")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

test.describe("a signed-in learner", () => {
  test.use({ as: "learner" });

  test("a call carries a traceparent, and its response has the same trace id", async ({ page }) => {
    const answered = page.waitForResponse(/\/api\/lms\/inventory\//);
    await page.goto("/mypage/course");
    const answer = await answered;
    const [, sentTrace, sentSpan] =
      TRACEPARENT.exec((await answer.request().headerValue("traceparent")) ?? "") ?? [];
    expect(sentTrace).toBeDefined();

    const timing = (await answer.headerValue("server-timing")) ?? "";
    expect(timing).toMatch(/^traceparent;desc="/);
    const [, trace, span] = TRACEPARENT.exec(timing) ?? [];
    expect(trace).toBe(sentTrace);
    expect(span).not.toBe(sentSpan);
  });
});

test("every screen has the policy that allows only the site's own scripts", async ({ request }) => {
  for (const { pattern } of allScreens) {
    const answer = await request.get(examplePath(pattern));
    expect.soft(answer.status(), pattern).toBe(200);
    const policy = answer.headers()["content-security-policy"] ?? "";
    const scripts = policy
      .split(";")
      .find((directive) => directive.trim().startsWith("script-src"));
    expect.soft(scripts?.trim(), pattern).toBe("script-src 'self'");
    expect.soft(policy, pattern).toContain("require-trusted-types-for 'script'");
  }
});

test("no prerendered page has a question or an explanation of an exam", async ({ request }) => {
  const papers = globSync(`${EXAMS}/*/*.yaml`).map((path) => readFileSync(path, "utf8"));
  const secrets = papers
    .flatMap((paper) => [...textsIn(paper, "prompt"), ...textsIn(paper, "explanation")])
    .map(plain);
  expect(secrets.length).toBeGreaterThan(300);
  const sitemap = await (await request.get("/sitemap.xml")).text();
  const addresses = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => url);
  expect(addresses.length).toBeGreaterThan(50);
  for (const address of addresses) {
    const { pathname } = new URL(address);
    const payload = `${pathname.replace(/\/$/, "")}/_payload.json`;
    for (const path of [pathname, payload]) {
      const answer = await request.get(path);
      expect(answer.status(), path).toBe(200);
      const page = plain(await answer.text());
      expect(
        secrets.filter((secret) => page.includes(secret)),
        path,
      ).toEqual([]);
    }
  }
});
