/** The number of unread notices, for the menus and for the home. */
export { unreadNoticesQuery } from "./memberNoticeCalls";
export { UnreadCount } from "./UnreadCount";
