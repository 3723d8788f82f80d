import { expect, test } from "vitest";
import { parseCertificateId } from "./certificateId";

const ID = "3f0c1d52-9a7e-4b31-8e44-0c6a2f9d7b15";

test.each([
  ID,
  ` ${ID} `,
  ID.toUpperCase(),
  ID.replaceAll("-", ""),
  ID.replaceAll("-", " "),
  ID.replaceAll("-", "ー"),
  "３ｆ０ｃ１ｄ５２－９ａ７ｅ－４ｂ３１－８ｅ４４－０ｃ６ａ２ｆ９ｄ７ｂ１５",
  "3fOcld52-9a7e-4b3I-8e44-Oc6a2f9d7b15",
  `https://www.konomana.jp/certificate/${ID}`,
  `https://www.konomana.jp/certificate/${ID}/`,
])("is read from %s", (typed) => {
  expect(parseCertificateId(typed)).toBe(ID);
});

test.each(["", "1", ID.slice(1), `${ID}0`, ID.replace("f", "g"), "修了証"])(
  "is not read from %s",
  (typed) => {
    expect(parseCertificateId(typed)).toBeNull();
  },
);
