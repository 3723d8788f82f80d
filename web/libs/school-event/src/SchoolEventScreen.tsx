import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { hasScope, type User, useSession } from "@konomana/session";
import {
  formatDateTime,
  formatPeriod,
  Group,
  Head,
  LoadingState,
  Prose,
  Stack,
  Text,
  TextLink,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { EntryBadge, PlacesTag } from "./EventTags";
import { ParticipantEntry } from "./ParticipantEntry";
import { childrenQuery, type SchoolEvent, schoolEventQuery } from "./schoolEventCalls";

/** /mypage/event/{id}: an event, and the entries of the person and of the linked children. */
export function SchoolEventScreen() {
  const { id } = useParams();
  return (
    <Stack gap="lg">
      <TextLink to={paths.schoolEvents()}>← イベント</TextLink>
      <QueryBoundary
        query={useQuery(schoolEventQuery(Number(id)))}
        loading={<LoadingState rows={3} height="8rem" />}
      >
        {(event) => <Detail event={event} />}
      </QueryBoundary>
    </Stack>
  );
}

function Detail({ event }: { event: SchoolEvent }) {
  const { user } = useSession();
  return (
    <>
      <Head title={event.title} />
      <Stack gap="xs">
        <Group as="p" gap="0.25rem 0.625rem">
          {event.entries.map((entry) => (
            <EntryBadge key={entry.id} entry={entry} />
          ))}
          <PlacesTag event={event} />
        </Group>
        <Title order={1} size="h2">
          {event.title}
        </Title>
        <Text>{event.summary}</Text>
      </Stack>
      <Facts event={event} />
      {user !== null && <Entries event={event} user={user} />}
      {event.materials !== null && (
        <TitledPanel title="当日の資料">
          <Prose text={event.materials} />
        </TitledPanel>
      )}
      <Prose text={event.description} />
    </>
  );
}

function Facts({ event }: { event: SchoolEvent }) {
  const facts = [
    ["日時", formatPeriod(event)],
    ["場所", event.place],
    ["定員", `${event.capacity}人`],
    ["申し込みの期限", formatDateTime(event.sign_up_until)],
  ];
  return (
    <dl className="kn-facts" data-ruled>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A person who can take part. */
interface Participant {
  id: string;
  /** The name on the page; the own entry has none. */
  name: string | null;
}

/** The entries of the person, and for a guardian of the children. Staff only read. */
function Entries({ event, user }: { event: SchoolEvent; user: User }) {
  const isGuardian = hasScope(user, "guardian");
  const { data: children = [] } = useQuery({ ...childrenQuery, enabled: isGuardian });
  if (!isGuardian && !hasScope(user, "learner")) return null;
  const linked = isGuardian ? children : [];
  const participants: readonly Participant[] = [
    { id: user.id, name: null },
    ...linked.map(({ id, name }) => ({ id, name })),
  ];
  return (
    <TitledPanel gap="lg" title="参加の申し込み">
      {participants.map(({ id, name }) => (
        <ParticipantEntry
          key={id}
          event={event}
          entry={event.entries.find(({ participant }) => participant === id)}
          child={name === null ? null : { id, name }}
          isNamed={participants.length > 1}
        />
      ))}
    </TitledPanel>
  );
}
