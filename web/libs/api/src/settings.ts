import { sendSignedIn } from "./client/send";
import type {
  Child,
  ChildProgress,
  Closing,
  Consent,
  Device,
  GuardianCode,
  GuardianLink,
  GuardianLinks,
} from "./settings-types";

type Signal = AbortSignal | undefined;

const ACCOUNTS = "/api/accounts";

const get = <Answer>(path: string, signal: Signal) =>
  sendSignedIn<Answer>({ method: "GET", url: `${ACCOUNTS}/${path}`, signal });

const post = <Answer>(path: string, body?: object) =>
  sendSignedIn<Answer>({ method: "POST", url: `${ACCOUNTS}/${path}`, body });

const remove = (path: string) =>
  sendSignedIn<void>({ method: "DELETE", url: `${ACCOUNTS}/${path}` });

/** What people settle about their own account, call by call. Failures are `ApiError`s. */
export const settings = {
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

  linkChild: (code: string) => post<Omit<GuardianLink, "since">>("guardian/link/", { code }),

  children: (signal?: Signal) => get<{ results: Child[] }>("guardian/children/", signal),

  child: (id: string, signal?: Signal) =>
    get<ChildProgress>(`guardian/children/${encodeURIComponent(id)}/`, signal),

  /** Everything that is kept about the person, as one object. */
  exportData: (password: string) => post<object>("export/", { password }),

  close: (password: string) => post<Closing>("close/", { password }),
};
