import { expect, test } from "vitest";
import { filledWith, sharedBy } from "./address";

const sapporo = (town: string) => ({
  postal_code: "0600000",
  prefecture: "北海道",
  city: "札幌市",
  town,
});
const nothing = { prefecture: "", city: "", town: "" };

test("of several towns only the common parts are filled in", () => {
  expect(sharedBy([sapporo("北一条"), sapporo("北二条")])).toEqual({
    prefecture: "北海道",
    city: "札幌市",
    town: "",
  });
  expect(sharedBy([sapporo("北一条")])).toMatchObject({ town: "北一条" });
});

test.each([
  ["an empty form", nothing, "北一条", "北一条"],
  ["a house number that is typed", { ...sapporo("北一条西2-3") }, "北一条", "北一条西2-3"],
  ["another town of the city", { ...sapporo("南三条5") }, "北一条", "北一条"],
  ["a town that is typed before the code", { ...nothing, town: "北一条2" }, "", "北一条2"],
  ["a town of another city", { prefecture: "東京都", city: "千代田区", town: "霞が関1" }, "", ""],
])("%s", (_, typed, town, expected) => {
  expect(filledWith(sapporo(town), typed)).toMatchObject({ city: "札幌市", town: expected });
});
