import { type MetadataJson, parsePhoneNumberFromString } from "libphonenumber-js/core";
import * as v from "valibot";
import { plain, withHyphens } from "../rules/text";
import japan from "./japan.json";

/** The library's metadata for Japan alone. A test compares it with the library's full table. */
const metadata = japan as unknown as MetadataJson;

/** Parses a Japanese number to E.164; null if it is invalid. */
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

/** Formats an E.164 number in the national format: `090-1234-5678`. */
export function nationalPhone(number: string): string {
  return parsePhoneNumberFromString(number, metadata)?.formatNational() ?? number;
}
