/** Types of the settings, from the API document. */
import type { Answer, Body } from "@konomana/http";

/**
 * The profile fields that the person edits. A school year of `null` follows from the birth date.
 */
export type Profile = Body<"PUT", "/api/accounts/profile/">;

/** A postal address. Every part is empty if none was saved. `phone` is E.164. */
export type Address = Answer<"GET", "/api/accounts/address/">;

/** A town of a postal code. */
export type Town = Answer<"GET", "/api/postal/{postal_code}/">[number];

/** A signed-in browser. `device` and `place` are display texts. */
export type Device = Answer<"GET", "/api/accounts/sessions/">["results"][number];

/** The guardian whose consent is requested for a minor. */
export type Consent = Body<"POST", "/api/accounts/guardian/consent/">;

/** The code that a learner passes to their guardian. It is valid for one use until `expires_at`. */
export type GuardianCode = Answer<"POST", "/api/accounts/guardian/code/">;

type GuardianLinks = Answer<"GET", "/api/accounts/guardian/links/">;
export type GuardianLink = GuardianLinks["results"][number];

/** Notification settings, the last bounced mail, and the push devices. */
export type Notifications = Answer<"GET", "/api/desk/notification/setting/">;

/** The settings that the person edits. */
export type NotificationChoices = Body<"PUT", "/api/desk/notification/setting/">;

/** A browser that gets notifications. `device` is a display text. */
export type PushDevice = Notifications["push_devices"][number];

/** Where a browser gets notifications, and its keys. */
export type PushSubscriptionKeys = Body<"POST", "/api/desk/notification/device/">;

/** When the address for calendar apps was made; `null` without one. */
export type CalendarAddress = Answer<"GET", "/api/desk/calendar/">;

export type Passkey = Answer<"GET", "/api/accounts/passkeys/">["results"][number];

/** The options for creating a passkey. `challenge` is sent back with the new credential. */
export interface PasskeyOptions {
  challenge: string;
  options: { publicKey: PublicKeyCredentialCreationOptionsJSON };
}

export type NewPasskey = Body<"POST", "/api/accounts/passkeys/">;
