import type { Address } from "@konomana/api";
import { choiceOf, lineOf, rules } from "@konomana/form";
import { phone } from "@konomana/form/phone";
import * as v from "valibot";
import { prefectures } from "./prefectures";

const LINE_MAX = 100;

const isEmpty = (text: unknown) => typeof text === "string" && text.trim() === "";
const nothing = v.pipe(
  v.string(),
  v.transform(() => ""),
);

/** Takes nothing as well as what `rule` takes. */
const orNothing = (rule: v.GenericSchema<string, string>) =>
  v.lazy((typed) => (isEmpty(typed) ? nothing : rule));

const building = orNothing(lineOf(LINE_MAX));
const optionalPhone = orNothing(phone);

const told = v.object({
  postal_code: rules.postalCode,
  prefecture: choiceOf(prefectures),
  city: lineOf(LINE_MAX),
  town: lineOf(LINE_MAX),
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

/** An address is told whole or, to take it back, not at all; the telephone stands for itself. */
export const addressSchema = v.lazy((typed) => (isTold(typed as Address) ? told : notTold));

function isTold({ postal_code, prefecture, city, town, building: house }: Address): boolean {
  return ![postal_code, prefecture, city, town, house].every(isEmpty);
}
