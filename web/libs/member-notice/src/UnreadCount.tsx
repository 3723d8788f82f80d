import { Badge, VisuallyHidden } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { unreadNoticesQuery } from "./memberNoticeCalls";

/** The largest number that is shown. */
const MOST = 99;

/** The number of unread notices in a menu. Renders nothing without one, or if it can't be loaded. */
export function UnreadCount() {
  const { data: unread = 0 } = useQuery(unreadNoticesQuery);
  if (unread === 0) return null;
  return (
    <>
      <VisuallyHidden>未読{unread}件</VisuallyHidden>
      <span aria-hidden="true">
        <Badge color="red">{unread > MOST ? `${MOST}+` : unread}</Badge>
      </span>
    </>
  );
}
