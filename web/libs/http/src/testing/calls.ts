/** Calls of each kind, for the tests of the transport. */
import { call, callPublic } from "../call";

export const calls = {
  courses: (query: { page?: number } = {}, signal?: AbortSignal) =>
    callPublic("GET", "/api/lms/course/", { query, signal }),
  login: (credentials = { email: "a@demo.example", password: "p" }) =>
    callPublic("POST", "/api/accounts/login/", { body: credentials }),
  refresh: (refresh: string) =>
    callPublic("POST", "/api/accounts/token/refresh/", { body: { refresh } }),
  user: () => call("GET", "/api/accounts/user/"),
  logout: () => call("POST", "/api/accounts/logout/"),
  favorites: (course?: number) =>
    call("GET", "/api/lms/favorite/", { query: { lesson__unit__chapter__course: course } }),
  inventory: (page: number, link?: string) =>
    call("GET", "/api/lms/inventory/", { query: { sort_by_watchhistory: true, page }, link }),
  setCheck: (lesson: number, on: boolean) =>
    call(on ? "PUT" : "DELETE", "/api/lms/check/{lesson}/", { params: { lesson } }),
};
