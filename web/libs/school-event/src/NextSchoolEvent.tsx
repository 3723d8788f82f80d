import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { formatPeriod, Group, LoadingState, Note, Text, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { EntryBadge } from "./EventTags";
import { isActive, type SchoolEvent, schoolEventsQuery } from "./schoolEventCalls";

/** The next event with an entry. Without one, the next event that the person can sign up for. */
export function NextSchoolEvent() {
  const query = useQuery(schoolEventsQuery);
  return (
    <>
      <TextLink strong to={paths.schoolEvents()}>
        イベント
      </TextLink>
      <QueryBoundary part query={query} loading={<LoadingState rows={1} height="1.75rem" />}>
        {(events) => {
          const next = findNext(events);
          if (next) return <Next event={next} />;
          return <Note>いまご案内できるイベントはありません。</Note>;
        }}
      </QueryBoundary>
    </>
  );
}

function Next({ event }: { event: SchoolEvent }) {
  const entries = event.entries.filter(isActive);
  return (
    <Group gap="sm" justify="space-between">
      <div>
        <Text>
          <TextLink to={paths.schoolEvent(event.id)}>{event.title}</TextLink>
        </Text>
        <Note>
          <time dateTime={event.starts_at}>{formatPeriod(event)}</time>・{event.place}
        </Note>
      </div>
      {entries.length === 0 ? (
        <Note as="span">申し込み受け付け中</Note>
      ) : (
        entries.map((entry) => <EntryBadge key={entry.id} entry={entry} />)
      )}
    </Group>
  );
}

function findNext(events: readonly SchoolEvent[]): SchoolEvent | undefined {
  const ahead = events
    .filter(({ ends_at }) => Date.parse(ends_at) > Date.now())
    .toSorted((one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at));
  return (
    ahead.find(({ entries }) => entries.some(isActive)) ??
    ahead.find(({ can_sign_up }) => can_sign_up)
  );
}
