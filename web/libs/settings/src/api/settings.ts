import { call, callPublic } from "@konomana/http";
import type {
  Address,
  Consent,
  NewPasskey,
  NotificationChoices,
  PasskeyOptions,
  Profile,
  PushSubscriptionKeys,
} from "./settingsTypes";

/** The API calls of the settings. Failures are `ApiError`s. */
export const settings = {
  saveProfile: (profile: Profile) => call("PUT", "/api/accounts/profile/", { body: profile }),

  saveAddress: (address: Address) => call("PUT", "/api/accounts/address/", { body: address }),

  /** The towns of a seven-digit postal code. Empty if the code is unknown. */
  towns: (postal_code: string, signal?: AbortSignal) =>
    callPublic("GET", "/api/postal/{postal_code}/", { params: { postal_code }, signal }),

  /**
   * Changes the password. Ends every session of the person, including that of `token`, and returns
   * the tokens of a new one. Call it through `replaceTokens`, which stores them.
   */
  changePassword: (token: string, passwords: { password: string; new_password: string }) =>
    call("POST", "/api/accounts/password/", { body: passwords, token }),

  /** Sends a link to the new address. The address changes when the link is used. */
  changeEmail: (change: { password: string; email: string }) =>
    call("POST", "/api/accounts/email/", { body: change }),

  endDevice: (id: string) => call("DELETE", "/api/accounts/sessions/{id}/", { params: { id } }),

  logoutEverywhere: () => call("POST", "/api/accounts/logout/all/"),

  /** Asks the guardian of a minor for consent, by mail. */
  askConsent: (consent: Consent) =>
    call("POST", "/api/accounts/guardian/consent/", { body: consent }),

  /** Creates a code and invalidates the previous one. */
  newGuardianCode: () => call("POST", "/api/accounts/guardian/code/"),

  /** Ends a link. The learner and the guardian can both do this. */
  unlink: (id: string) => call("DELETE", "/api/accounts/guardian/links/{id}/", { params: { id } }),

  passkeyOptions: (password: string) =>
    call("POST", "/api/accounts/passkeys/options/", {
      body: { password },
    }) as Promise<PasskeyOptions>,

  addPasskey: (passkey: NewPasskey) => call("POST", "/api/accounts/passkeys/", { body: passkey }),

  renamePasskey: (id: string, name: string) =>
    call("PUT", "/api/accounts/passkeys/{id}/", { params: { id }, body: { name } }),

  removePasskey: (id: string) => call("DELETE", "/api/accounts/passkeys/{id}/", { params: { id } }),

  saveNotifications: (choices: NotificationChoices) =>
    call("PUT", "/api/desk/notification/setting/", { body: choices, keepalive: true }),

  /** Stores the subscription of this browser, or its new keys. */
  savePushDevice: (subscription: PushSubscriptionKeys) =>
    call("POST", "/api/desk/notification/device/", { body: subscription }),

  deletePushDevice: (id: string) =>
    call("DELETE", "/api/desk/notification/device/{id}/", { params: { id } }),

  /** Makes a new address for calendar apps, and ends the old one. */
  makeCalendarAddress: () => call("POST", "/api/desk/calendar/"),

  endCalendarAddress: () => call("DELETE", "/api/desk/calendar/"),

  /** Reactivates a suspended passkey. */
  keepPasskey: (id: string, password: string) =>
    call("POST", "/api/accounts/passkeys/{id}/keep/", { params: { id }, body: { password } }),

  /** All stored data of the person, as one object. */
  exportData: (password: string) => call("POST", "/api/accounts/export/", { body: { password } }),

  close: (password: string) => call("POST", "/api/accounts/close/", { body: { password } }),
};
