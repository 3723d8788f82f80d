import type { Overview } from "../api";
import { Badge, formatDateTime, Group, Lines, Note, Text } from "@konomana/ui-base";

/** The events and interviews that a learner has ahead, each soonest first. */
export function AppointmentsPart({
  appointments: { interviews, events },
}: {
  appointments: NonNullable<Overview["appointments"]>;
}) {
  if (interviews.length + events.length === 0)
    return <Text>予約しているイベントと面談はありません。</Text>;
  return (
    <Lines>
      {interviews.map(({ kind_name, teacher, starts_at }) => (
        <li key={`${starts_at} ${teacher}`}>
          <Text bold>
            {kind_name}（{teacher}先生）
          </Text>
          <Note>{formatDateTime(starts_at)}から</Note>
        </li>
      ))}
      {events.map(({ event_id, title, place, starts_at, has_place }) => (
        <Group key={event_id} as="li" gap="sm" justify="space-between">
          <div>
            <Text bold>{title}</Text>
            <Note>
              {formatDateTime(starts_at)}から・{place}
            </Note>
          </div>
          <Badge color={has_place ? "teal" : "gray"} variant="outline" size="lg">
            {has_place ? "申し込み済み" : "キャンセル待ち"}
          </Badge>
        </Group>
      ))}
    </Lines>
  );
}
