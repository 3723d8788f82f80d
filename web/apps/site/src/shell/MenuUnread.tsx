import { Suspense } from "react";
import { useLocation } from "react-router";
import { withQueries } from "../lazyQueries";
import { lazyPart } from "./lazyPart";

const UnreadCount = lazyPart(
  withQueries(async () => (await import("@konomana/member-notice/unread")).UnreadCount),
);

/** The number of unread notices in a menu. Another page fetches it again, unless it is fresh. */
export function MenuUnread() {
  const { pathname } = useLocation();
  return (
    <Suspense>
      <UnreadCount key={pathname} />
    </Suspense>
  );
}
