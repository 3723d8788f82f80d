import { type MetadataJson, parsePhoneNumberFromString } from "libphonenumber-js/core";
import * as v from "valibot";
import { plain, withHyphens } from "../rules/text";
import japan from "./japan.json";

/** What the library knows of Japan alone; it comes from the library's own table, as the test tells. */
const metadata = japan as unknown as MetadataJson;

/** The E.164 spelling of a number of Japan; null where it is none. */
function parsed(typed: string): string | null {
  const text = withHyphens(typed);
  if (!/^\+?[\d() .-]+$/.test(text)) return null;
  const number = parsePhoneNumberFromString(text, "JP", metadata);
  return number?.country === "JP" && number.isValid() ? number.number : null;
}

/** 電話番号: `090-1234-5678` becomes `+819012345678`. */
export const phone = v.pipe(
  v.string(),
  v.transform(plain),
  v.nonEmpty("REQUIRED"),
  v.check((text) => parsed(text) !== null, "INVALID_FORMAT"),
  v.transform((text) => parsed(text) ?? text),
);

/** A number of E.164 as people in Japan write it: `090-1234-5678`. */
export function nationalPhone(number: string): string {
  return parsePhoneNumberFromString(number, metadata)?.formatNational() ?? number;
}
