import { call, callPublic } from "@konomana/http";
import type { Address, Consent, NewPasskey, PasskeyOptions, Profile } from "./settingsTypes";

/** What people settle about their own account, call by call. Failures are `ApiError`s. */
export const settings = {
  saveProfile: (profile: Profile) => call("PUT", "/api/accounts/profile/", { body: profile }),

  saveAddress: (address: Address) => call("PUT", "/api/accounts/address/", { body: address }),

  /** The towns of a postal code of seven digits; none where it is not known. */
  towns: (postal_code: string, signal?: AbortSignal) =>
    callPublic("GET", "/api/postal/{postal_code}/", { params: { postal_code }, signal }),

  /**
   * Ends every session of the person, also that of `token`, and gives the tokens of a new one. The session keeps
   * them: call it by `replaceTokens`.
   */
  changePassword: (token: string, passwords: { password: string; new_password: string }) =>
    call("POST", "/api/accounts/password/", { body: passwords, token }),

  /** Sends a link to the new address; nothing changes until it is opened. */
  changeEmail: (change: { password: string; email: string }) =>
    call("POST", "/api/accounts/email/", { body: change }),

  endDevice: (id: string) => call("DELETE", "/api/accounts/sessions/{id}/", { params: { id } }),

  logoutEverywhere: () => call("POST", "/api/accounts/logout/all/"),

  /** Asks the guardian of a minor for consent, by mail. */
  askConsent: (consent: Consent) =>
    call("POST", "/api/accounts/guardian/consent/", { body: consent }),

  /** A new code ends the one before. */
  newGuardianCode: () => call("POST", "/api/accounts/guardian/code/"),

  /** Either side may end a link. */
  unlink: (id: string) => call("DELETE", "/api/accounts/guardian/links/{id}/", { params: { id } }),

  passkeyOptions: (password: string) =>
    call("POST", "/api/accounts/passkeys/options/", {
      body: { password },
    }) as Promise<PasskeyOptions>,

  addPasskey: (passkey: NewPasskey) => call("POST", "/api/accounts/passkeys/", { body: passkey }),

  renamePasskey: (id: string, name: string) =>
    call("PUT", "/api/accounts/passkeys/{id}/", { params: { id }, body: { name } }),

  removePasskey: (id: string) => call("DELETE", "/api/accounts/passkeys/{id}/", { params: { id } }),

  /** Lets a suspended passkey sign in again. */
  keepPasskey: (id: string, password: string) =>
    call("POST", "/api/accounts/passkeys/{id}/keep/", { params: { id }, body: { password } }),

  /** Everything that is kept about the person, as one object. */
  exportData: (password: string) => call("POST", "/api/accounts/export/", { body: { password } }),

  close: (password: string) => call("POST", "/api/accounts/close/", { body: { password } }),
};
