import type { MaintenanceInfo } from "../types";

/** What the wrapper needs to know of the session; `@konomana/session` provides it. */
export interface SessionPort {
  /** A valid access token, refreshed first when it has expired. Throws when the session is over. */
  token(): Promise<string>;
  /** A newer token than the one that the server has just refused. Throws when there can be none. */
  renew(refused: string): Promise<string>;
  /** The server refuses even the newest token: the person is logged out. */
  lost(): void;
}

export interface Connection {
  /** Origin of the API; in the browser the page's own. */
  baseUrl: string;
  /** Cookies that scripts can read, as `document.cookie` writes them; null where there is no page. */
  cookies: () => string | null;
  session: SessionPort;
  /** Called with the body of every 503 (the specification, §8); the app goes to /maintenance. */
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

/** Joins the wrapper to the rest of the app. What is not given stays as it is. */
export function connectApi(parts: Partial<Connection>): void {
  Object.assign(connection, parts);
}

export function currentConnection(): Readonly<Connection> {
  return connection;
}
