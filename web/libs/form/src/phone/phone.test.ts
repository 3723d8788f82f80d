import whole from "libphonenumber-js/max/metadata";
import { expect, test } from "vitest";
import japan from "./japan.json";
import { nationalPhone } from "./phone";

test("japan.json equals the library's metadata of Japan", () => {
  const { version, countries } = whole as unknown as { version: number; countries: object };
  expect(japan).toEqual({
    version,
    country_calling_codes: { 81: ["JP"] },
    countries: { JP: (countries as Record<string, unknown>)["JP"] },
    nonGeographic: {},
  });
});

test.each([
  ["+819012345678", "090-1234-5678"],
  ["+81312345678", "03-1234-5678"],
  ["", ""],
])("%s is shown as %s", (number, shown) => {
  expect(nationalPhone(number)).toBe(shown);
});
