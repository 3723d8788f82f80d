import type { Address } from "../api";
import { expect, test } from "vitest";
import { json, learner, problem } from "@konomana/testing";
import { openFor } from "../settingsTesting";
import { AddressSettingsScreen } from "./AddressSettingsScreen";

const nowhere: Address = {
  postal_code: "",
  prefecture: "",
  city: "",
  town: "",
  building: "",
  phone: "",
};
const home: Address = {
  postal_code: "1000013",
  prefecture: "東京都",
  city: "千代田区",
  town: "霞が関1-3-2",
  building: "",
  phone: "+819012345678",
};
const kana = { prefecture_kana: "", city_kana: "", town_kana: "" };
const inSapporo = (town: string) => ({
  ...kana,
  postal_code: "0600000",
  prefecture: "北海道",
  city: "札幌市",
  town,
});
const kasumigaseki = {
  ...kana,
  postal_code: "1000013",
  prefecture: "東京都",
  city: "千代田区",
  town: "霞が関",
};

test("a postal code fills in prefecture and town, and the address is saved", async () => {
  const { screen, calls, blue } = await openFor(learner, AddressSettingsScreen, {
    "GET accounts/address/": () => json(nowhere),
    "GET postal/{postal_code}/": () => json([kasumigaseki]),
    "PUT accounts/address/": ({ body }) => json(body),
  });
  await screen.getByLabelText("郵便番号").fill("１００－００１３");
  await expect.element(screen.getByLabelText("都道府県")).toHaveValue("東京都");
  await expect.element(screen.getByLabelText("市区町村")).toHaveValue("千代田区");
  const town = screen.getByLabelText("町名・番地");
  await expect.element(town).toHaveValue("霞が関");
  await town.fill("霞が関1-3-2");
  await screen.getByLabelText("電話番号").fill("090-1234-5678");
  await screen.getByRole("button", { name: "保存する" }).click();
  await expect.poll(blue).toBe("住所と電話番号を保存しました。");
  expect(calls.at(-1)?.body).toEqual(home);
  await expect.element(town).toHaveValue("霞が関1-3-2");
});

test("the person chooses among several towns", async () => {
  const { screen } = await openFor(learner, AddressSettingsScreen, {
    "GET accounts/address/": () => json(nowhere),
    "GET postal/{postal_code}/": () => json([inSapporo("北一条"), inSapporo("北二条")]),
  });
  await screen.getByLabelText("郵便番号").fill("0600000");
  await screen.getByLabelText("この郵便番号の町").selectOptions("札幌市北二条");
  await expect.element(screen.getByLabelText("町名・番地")).toHaveValue("北二条");
  await expect.element(screen.getByLabelText("市区町村")).toHaveValue("札幌市");
});

test.each([
  ["unknown", () => json([]), /見つかりませんでした。都道府県から入力してください。/],
  [
    "that can't be looked up",
    () => problem(400, "INVALID"),
    /^住所を調べられませんでした。都道府県から入力してください。/,
  ],
])("a postal code %s does not block the form", async (_, answer, sentence) => {
  const { screen, blue } = await openFor(learner, AddressSettingsScreen, {
    "GET accounts/address/": () => json(nowhere),
    "GET postal/{postal_code}/": answer,
    "PUT accounts/address/": ({ body }) => json(body),
  });
  await screen.getByLabelText("郵便番号").fill("999-9999");
  await expect.element(screen.getByText(sentence)).toBeVisible();
  await screen.getByLabelText("都道府県").selectOptions("東京都");
  await screen.getByLabelText("市区町村").fill("新市");
  await screen.getByLabelText("町名・番地").fill("新町1");
  await screen.getByRole("button", { name: "保存する" }).click();
  await expect.poll(blue).toBe("住所と電話番号を保存しました。");
});

test("a saved address is prefilled and not overwritten by a lookup", async () => {
  const { screen } = await openFor(learner, AddressSettingsScreen, {
    "GET accounts/address/": () => json(home),
    "GET postal/{postal_code}/": () => json([kasumigaseki]),
  });
  await expect.element(screen.getByLabelText("郵便番号")).toHaveValue("100-0013");
  await expect.element(screen.getByLabelText("町名・番地")).toHaveValue("霞が関1-3-2");
  await expect.element(screen.getByLabelText("電話番号")).toHaveValue("090-1234-5678");
});

test("an incomplete address is refused, and an empty one is accepted", async () => {
  const { screen, calls } = await openFor(learner, AddressSettingsScreen, {
    "GET accounts/address/": () => json(home),
    "GET postal/{postal_code}/": () => json([kasumigaseki]),
    "PUT accounts/address/": ({ body }) => json(body),
  });
  await screen.getByLabelText("市区町村").fill("");
  await screen.getByRole("button", { name: "保存する" }).click();
  await expect
    .element(screen.getByLabelText("市区町村"))
    .toHaveAccessibleDescription("市区町村を入力してください。");
  for (const label of ["郵便番号", "町名・番地", "電話番号"])
    await screen.getByLabelText(label).fill("");
  await screen.getByLabelText("都道府県").selectOptions("");
  await screen.getByRole("button", { name: "保存する" }).click();
  await expect.poll(() => calls.at(-1)).toEqual({ call: "PUT accounts/address/", body: nowhere });
});
