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
  "a target that is not text is refused: %j",
  (target) => {
    expect(isInternalPath(target)).toBe(false);
  },
);
