import type { Address, Town } from "../api";
import { choiceOf, limits, lineOf, rules, prefectures } from "@konomana/form";
import { phone } from "@konomana/form/phone";
import * as v from "valibot";

const isEmpty = (text: unknown) => typeof text === "string" && text.trim() === "";
const nothing = v.pipe(
  v.string(),
  v.transform(() => ""),
);

/** Accepts empty input in addition to what `rule` accepts. */
const orNothing = (rule: v.GenericSchema<string, string>) =>
  v.lazy((typed) => (isEmpty(typed) ? nothing : rule));

const building = orNothing(lineOf(limits.addressLine));
const optionalPhone = orNothing(phone);

const told = v.object({
  postal_code: rules.postalCode,
  prefecture: choiceOf(prefectures),
  city: lineOf(limits.addressLine),
  town: lineOf(limits.addressLine),
  building,
  phone: optionalPhone,
});

const notTold = v.object({
  postal_code: nothing,
  prefecture: nothing,
  city: nothing,
  town: nothing,
  building: nothing,
  phone: optionalPhone,
});

/**
 * An address must be complete, or empty to remove it. The telephone number is independent of it.
 */
export const addressSchema = v.lazy((typed) => (isTold(typed as Address) ? told : notTold));

function isTold({ postal_code, prefecture, city, town, building: house }: Address): boolean {
  return ![postal_code, prefecture, city, town, house].every(isEmpty);
}

/** The place of a postal code. */
export type Place = Pick<Town, "prefecture" | "city" | "town">;

/** The common parts of all towns of a postal code. Other parts are empty. */
export function sharedBy(towns: readonly Place[]): Place {
  const common = (part: keyof Place) => {
    const [first = "", ...others] = new Set(towns.map((town) => town[part]));
    return others.length === 0 ? first : "";
  };
  return { prefecture: common("prefecture"), city: common("city"), town: common("town") };
}

/**
 * Fills the place of a postal code into an address. Typed parts that the code does not determine
 * stay, e.g. the house number. A town of another city is replaced.
 */
export function filledWith({ prefecture, city, town }: Place, typed: Place): Place {
  const elsewhere = city !== "" && typed.city !== "" && city !== typed.city;
  return {
    prefecture: prefecture || typed.prefecture,
    city: city || typed.city,
    town: typed.town.startsWith(town) && !elsewhere ? typed.town : town,
  };
}
