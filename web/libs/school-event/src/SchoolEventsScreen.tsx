import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  CoverLink,
  EmptyState,
  formatPeriod,
  Group,
  Head,
  LoadingState,
  Note,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { EntryBadge, PlacesTag } from "./EventTags";
import { type SchoolEvent, schoolEventsQuery } from "./schoolEventCalls";

/** /mypage/event: the events, with the own state in each. */
export function SchoolEventsScreen() {
  return (
    <Stack gap="lg">
      <Head title="イベント" />
      <Title order={1} size="h2">
        イベント
      </Title>
      <QueryBoundary
        query={useQuery(schoolEventsQuery)}
        loading={<LoadingState rows={3} height="9rem" />}
      >
        {(events) =>
          events.length === 0 ? (
            <EmptyState title="いまご案内できるイベントはありません">
              次のイベントが決まると、ここに並びます。
            </EmptyState>
          ) : (
            <Stack as="ul" gap="sm" aria-label="イベントの一覧">
              {events.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </Stack>
          )
        }
      </QueryBoundary>
      <TextLink to={paths.settingsCalendar()} className="kn-start">
        予定をまとめてカレンダーに登録する
      </TextLink>
    </Stack>
  );
}

function EventRow({ event }: { event: SchoolEvent }) {
  return (
    <Panel as="li" gap="xxs">
      <Group as="p" gap="0.25rem 0.625rem">
        {event.entries.map((entry) => (
          <EntryBadge key={entry.id} entry={entry} />
        ))}
        <PlacesTag event={event} />
      </Group>
      <Title order={2} size="h4">
        <CoverLink to={paths.schoolEvent(event.id)}>{event.title}</CoverLink>
      </Title>
      <Text>
        <time dateTime={event.starts_at}>{formatPeriod(event)}</time>
      </Text>
      <Note>場所：{event.place}</Note>
      <Note>{event.summary}</Note>
    </Panel>
  );
}
