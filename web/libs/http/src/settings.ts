import { sendPublic, sendSignedIn, sendWith } from "./transport/send";
import type {
  Address,
  Child,
  ChildProgress,
  Closing,
  Consent,
  Device,
  GuardianCode,
  GuardianLinks,
  LinkedChild,
  NewPasskey,
  Passkey,
  PasskeyOptions,
  Profile,
  Town,
} from "./settings-types";
import type { Tokens, User } from "./types";

type Signal = AbortSignal | undefined;

const ACCOUNTS = "/api/accounts";

const get = <Answer>(path: string, signal: Signal) =>
  sendSignedIn<Answer>({ method: "GET", url: `${ACCOUNTS}/${path}`, signal });

const post = <Answer>(path: string, body?: object) =>
  sendSignedIn<Answer>({ method: "POST", url: `${ACCOUNTS}/${path}`, body });

const put = <Answer>(path: string, body: object) =>
  sendSignedIn<Answer>({ method: "PUT", url: `${ACCOUNTS}/${path}`, body });

const remove = (path: string) =>
  sendSignedIn<void>({ method: "DELETE", url: `${ACCOUNTS}/${path}` });

/** What people settle about their own account, call by call. Failures are `ApiError`s. */
export const settings = {
  saveProfile: (profile: Profile) => put<User>("profile/", profile),

  address: (signal?: Signal) => get<Address>("address/", signal),

  saveAddress: (address: Address) => put<Address>("address/", address),

  /** The towns of a postal code of seven digits; none where it is not known. */
  towns: (postalCode: string, signal?: Signal) =>
    sendPublic<Town[]>({ method: "GET", url: `/api/postal/${postalCode}/`, signal }),

  /**
   * Ends every session of the person, also that of `token`, and gives the tokens of a new one. The session keeps
   * them: call it by `replaceTokens`.
   */
  changePassword: (token: string, passwords: { password: string; new_password: string }) =>
    sendWith<Tokens>(token, { method: "POST", url: `${ACCOUNTS}/password/`, body: passwords }),

  /** Sends a link to the new address; nothing changes until it is opened. */
  changeEmail: (change: { password: string; email: string }) => post<void>("email/", change),

  devices: (signal?: Signal) => get<{ results: Device[] }>("sessions/", signal),

  endDevice: (id: string) => remove(`sessions/${encodeURIComponent(id)}/`),

  logoutEverywhere: () => post<void>("logout/all/"),

  /** Asks the guardian of a minor for consent, by mail. */
  askConsent: (consent: Consent) => post<void>("guardian/consent/", consent),

  /** A new code ends the one before. */
  newGuardianCode: () => post<GuardianCode>("guardian/code/"),

  guardianLinks: (signal?: Signal) => get<GuardianLinks>("guardian/links/", signal),

  /** Either side may end a link. */
  unlink: (id: string) => remove(`guardian/links/${encodeURIComponent(id)}/`),

  linkChild: (code: string) => post<LinkedChild>("guardian/link/", { code }),

  children: (signal?: Signal) => get<{ results: Child[] }>("guardian/children/", signal),

  child: (id: string, signal?: Signal) =>
    get<ChildProgress>(`guardian/children/${encodeURIComponent(id)}/`, signal),

  /** Withdraws the consent of a linked child's guardians. */
  withdrawConsent: (child: string) =>
    remove(`guardian/children/${encodeURIComponent(child)}/consent/`),

  passkeys: (signal?: Signal) => get<{ results: Passkey[] }>("passkeys/", signal),

  passkeyOptions: (password: string) => post<PasskeyOptions>("passkeys/options/", { password }),

  addPasskey: (passkey: NewPasskey) => post<Passkey>("passkeys/", passkey),

  renamePasskey: (id: string, name: string) =>
    put<void>(`passkeys/${encodeURIComponent(id)}/`, { name }),

  removePasskey: (id: string) => remove(`passkeys/${encodeURIComponent(id)}/`),

  /** Lets a suspended passkey sign in again. */
  keepPasskey: (id: string, password: string) =>
    post<void>(`passkeys/${encodeURIComponent(id)}/keep/`, { password }),

  /** Everything that is kept about the person, as one object. */
  exportData: (password: string) => post<object>("export/", { password }),

  close: (password: string) => post<Closing>("close/", { password }),
};
