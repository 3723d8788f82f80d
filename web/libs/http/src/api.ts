import type { Request } from "./transport/request";
import { currentConnection } from "./transport/connection";
import { sendPublic, sendSignedIn } from "./transport/send";
import { toQuery } from "./toQuery";
import type {
  BookmarkPage,
  Credentials,
  InventoryItem,
  InventoryList,
  MaintenanceWindows,
  MarkPage,
  Tokens,
  User,
} from "./types";

type Id = number | string;
/** What an unmounted screen or a cancelled query aborts its call with. */
type Signal = AbortSignal | undefined;

/** The three marks a learner sets: あとで見る on a course, お気に入り and 学習済みチェック on a lesson. */
export type MarkKind = "bookmark" | "favorite" | "check";

const get = (url: string, signal: Signal): Request => ({ method: "GET", url, signal });

/** The calls around a session and its learner, by their names. Failures are `ApiError`s. */
export const api = {
  login: (credentials: Credentials) =>
    sendPublic<Tokens>({ method: "POST", url: "/api/accounts/login/", body: credentials }),

  refresh: (refresh: string) =>
    sendPublic<Tokens>({ method: "POST", url: "/api/accounts/token/refresh/", body: { refresh } }),

  user: (signal?: Signal) => sendSignedIn<User>(get("/api/accounts/user/", signal)),

  logout: () => sendSignedIn<void>({ method: "POST", url: "/api/accounts/logout/" }),

  /** 所有講座, last watched first. */
  inventory: (page: number, signal?: Signal) =>
    sendSignedIn<InventoryList>(
      get(`/api/lms/inventory/${toQuery({ sort_by_watchhistory: true, page })}`, signal),
    ),

  inventoryItem: (id: Id, signal?: Signal) =>
    sendSignedIn<InventoryItem>(get(`/api/lms/inventory/${encodeURIComponent(id)}/`, signal)),

  bookmarks: (page: number | undefined, signal?: Signal) =>
    sendSignedIn<BookmarkPage>(get(`/api/lms/bookmark/${toQuery({ page })}`, signal)),

  favorites: (query: { course?: Id | undefined; page?: number | undefined }, signal?: Signal) =>
    sendSignedIn<MarkPage>(get(`/api/lms/favorite/${marksQuery(query)}`, signal)),

  checks: (query: { course?: Id | undefined; page?: number | undefined }, signal?: Signal) =>
    sendSignedIn<MarkPage>(get(`/api/lms/check/${marksQuery(query)}`, signal)),

  /** Follows the `next` or `previous` link of a paged answer. */
  follow: <Page>(link: string, signal?: Signal) =>
    sendSignedIn<Page>(get(onOwnOrigin(link), signal)),

  /** Sets (PUT) or removes (DELETE) a mark; either may be repeated without harm. */
  setMark: (kind: MarkKind, id: Id, on: boolean) =>
    sendSignedIn<void>({
      method: on ? "PUT" : "DELETE",
      url: `/api/lms/${kind}/${encodeURIComponent(id)}/`,
    }),

  maintenance: (signal?: Signal) =>
    sendPublic<MaintenanceWindows>(get("/api/maintenance/", signal)),
};

/**
 * The path and query of a link, on the API's own origin: links name the public host, and the site may be open by
 * another of its names. Nor do secrets go anywhere else, whatever a link names.
 */
function onOwnOrigin(link: string): string {
  const { origin } = new URL(currentConnection().baseUrl);
  const { pathname, search } = new URL(link, origin);
  return origin + pathname + search;
}

function marksQuery({ course, page }: { course?: Id | undefined; page?: number | undefined }) {
  return toQuery({ lesson__unit__chapter__course: course, page });
}
