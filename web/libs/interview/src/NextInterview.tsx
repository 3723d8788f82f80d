import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  ButtonLink,
  formatPeriod,
  Group,
  LoadingState,
  Note,
  Text,
  TextLink,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { type Interview, interviewsQuery } from "./interviewCalls";

/** The learner's next interview, with the link to join. */
export function NextInterview() {
  const query = useQuery(interviewsQuery());
  return (
    <>
      <TextLink strong to={paths.interviews()}>
        面談
      </TextLink>
      <QueryBoundary part query={query} loading={<LoadingState rows={1} height="1.75rem" />}>
        {({ upcoming: [next] }) =>
          next ? (
            <Next interview={next} />
          ) : (
            <Note>予約した面談はありません。先生にいつでも相談できます。</Note>
          )
        }
      </QueryBoundary>
    </>
  );
}

function Next({ interview }: { interview: Interview }) {
  const { kind_name, teacher, join_url, starts_at } = interview;
  return (
    <Group gap="sm" justify="space-between">
      <div>
        <Text>
          <time dateTime={starts_at}>{formatPeriod(interview)}</time>
        </Text>
        <Note>
          {kind_name}・{teacher}先生
        </Note>
      </div>
      {join_url !== null && (
        <Group actions>
          <ButtonLink to={join_url} target="_blank" rel="noreferrer">
            面談に参加する
          </ButtonLink>
        </Group>
      )}
    </Group>
  );
}
