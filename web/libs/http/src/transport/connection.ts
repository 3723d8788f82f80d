import type { MaintenanceInfo } from "../types";

/** The session as the client needs it; `@konomana/session` implements it. */
export interface SessionPort {
  /** A valid access token, refreshed first if it has expired. Throws if the session has ended. */
  token(): Promise<string>;
  /** A newer token than the refused one. Throws if none can be had. */
  renew(refused: string): Promise<string>;
  /** Ends the session, because the server refuses even the newest token. */
  lost(): void;
}

export interface Connection {
  /** Origin of the API; by default that of the page. */
  baseUrl: string;
  /** Cookies readable by scripts, as in `document.cookie`; null without a document. */
  cookies: () => string | null;
  session: SessionPort;
  /** Called with the body of every 503 (the specification, §8); the app opens /maintenance. */
  onMaintenance: (info: MaintenanceInfo) => void;
}

const visitor: SessionPort = {
  token: () => Promise.reject(new Error("No session is connected.")),
  renew: () => Promise.reject(new Error("No session is connected.")),
  lost: () => {},
};

const connection: Connection = {
  baseUrl: globalThis.location?.origin ?? "",
  cookies: () => globalThis.document?.cookie ?? null,
  session: visitor,
  onMaintenance: () => {},
};

/** Connects the client to the app. Omitted parts stay unchanged. */
export function connectApi(parts: Partial<Connection>): void {
  Object.assign(connection, parts);
}

export function currentConnection(): Readonly<Connection> {
  return connection;
}
