import { expect, test } from "vitest";
import { isInternalPath } from "./redirect";
import cases from "./redirect-cases.json";

test.each(cases)(
  "spec §5: redirect targets are accepted only if they are internal paths starting with a slash: $target ($why)",
  ({ target, internal }) => {
    expect(isInternalPath(target)).toBe(internal);
  },
);

test.each([undefined, null, 7, ["/mypage"], { toString: () => "/mypage" }])(
  "a target that is not a string is refused: %j",
  (target) => {
    expect(isInternalPath(target)).toBe(false);
  },
);

const SITE = "https://site.example";
const PIECES = [
  ..."/\\.@:?#%; a\t\n\u0000\u00a0\u3000",
  "//",
  "/.",
  "/..",
  "%2f",
  "%5c",
  "%09",
  "http:",
  "javascript:",
  "other.example",
  "user@other.example",
  "[::1]",
];

test("every accepted target stays inside the site, for random targets", () => {
  // A linear congruential generator, so each run tests the same targets.
  let state = 1;
  const below = (end: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  let accepted = 0;
  const left: string[] = [];
  for (let run = 0; run < 50_000; run++) {
    const target = Array.from({ length: 1 + below(8) }, () => PIECES[below(PIECES.length)]).join(
      "",
    );
    if (!isInternalPath(`/${target}`)) continue;
    accepted += 1;
    const base = `${SITE}/login`;
    const once = new URL(`/${target}`, base);
    // A router writes the parsed path into the address bar, where it is parsed again.
    const twice = new URL(once.pathname + once.search + once.hash, base);
    if (once.origin !== SITE || twice.origin !== SITE) left.push(target);
  }
  expect(left).toEqual([]);
  expect(accepted).toBeGreaterThan(1_000);
});
