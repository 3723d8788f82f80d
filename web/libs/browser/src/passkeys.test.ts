import { expect, test } from "vitest";
import { canHavePasskeys } from "./passkeys";

test.each([
  ["localhost", true],
  ["www.konomana.jp", true],
  ["1.konomana.jp", true],
  ["127.0.0.1", false],
  ["[::1]", false],
])("passkeys at %s: %s", (hostname, works) => {
  expect(canHavePasskeys(new URL(`http://${hostname}:8080`).hostname)).toBe(works);
});
