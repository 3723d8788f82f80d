import { type Answer, type Body, call, callPublic } from "@konomana/http";

export type Credentials = Body<"POST", "/api/accounts/login/">;
export type Tokens = Answer<"POST", "/api/accounts/login/">;
export type User = Answer<"GET", "/api/accounts/user/">;

/** The API calls of a session. Failures are `ApiError`s. */
export const sessionApi = {
  login: (credentials: Credentials) =>
    callPublic("POST", "/api/accounts/login/", { body: credentials }),

  refresh: (refresh: string) =>
    callPublic("POST", "/api/accounts/token/refresh/", { body: { refresh } }),

  user: (): Promise<User> => call("GET", "/api/accounts/user/"),

  logout: () => call("POST", "/api/accounts/logout/"),
};
