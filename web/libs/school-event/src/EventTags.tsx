import { Badge, Tag } from "@konomana/ui-base";
import type { EventEntry, SchoolEvent } from "./schoolEventCalls";

/** The state of an entry in one or two words. Renders nothing once it has ended. */
export function EntryBadge({ entry: { state } }: { entry: EventEntry }) {
  switch (state) {
    case "signed_up":
      return <Badge color="teal">申し込み済み</Badge>;
    case "waiting":
      return <Badge color="gray">キャンセル待ち</Badge>;
    case "offered":
      return <Badge color="red">席のご案内あり</Badge>;
    case "cancelled":
    case "lapsed":
      return null;
  }
}

/** Whether newcomers can still get a place. */
export function PlacesTag({
  event: { can_sign_up, can_cancel, places_left, waiting },
}: {
  event: SchoolEvent;
}) {
  if (!can_sign_up) return <Tag>{can_cancel ? "受け付け終了" : "開催済み・開催中"}</Tag>;
  if (places_left > 0) return <Tag variant="strong">あと{places_left}席</Tag>;
  return <Tag>{waiting > 0 ? `満席・${waiting}人がキャンセル待ち` : "満席"}</Tag>;
}
