/** The product's HTTP headers, as a browser receives them. */
import { expect, test } from "../fixtures/product";
import { allScreens, examplePath } from "../fixtures/screens";

/** Version, trace, span and flags of a W3C traceparent. */
const TRACEPARENT = /00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;

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
