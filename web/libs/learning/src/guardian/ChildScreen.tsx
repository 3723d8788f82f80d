import { childOverviewQuery, childrenQuery, childWeeklyReport, type Overview } from "../api";
import { ApiError } from "@konomana/http";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  ButtonLink,
  Group,
  Head,
  LoadingState,
  Stack,
  Text,
  TextLink,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { ChildConsent } from "./ChildConsent";
import { LearnerOverview } from "./LearnerOverview";
import { Unlink } from "./Unlink";

/** /mypage/child/{id}: a child's overview for their guardian, with the link and the consent. */
export function ChildScreen() {
  const { account: id = "" } = useParams();
  const query = useQuery(childOverviewQuery(id));
  const { error } = query;
  // Once the link has ended, what was loaded before is not shown either.
  const hasEnded = error instanceof ApiError && error.status === 404;
  return (
    <>
      <TextLink to={paths.mypage()}>← マイページにもどる</TextLink>
      <QueryBoundary
        query={hasEnded ? { ...query, data: undefined } : query}
        loading={<ChildLoading />}
      >
        {(overview) => <Child overview={overview} />}
      </QueryBoundary>
    </>
  );
}

function Child({ overview }: { overview: Overview }) {
  const { id, name, school_year } = overview;
  return (
    <Stack gap="lg">
      <Head title={`${name}さんの学習`} />
      <div>
        <Title order={1} size="h2">
          {name}さんの学習
        </Title>
        <Text dimmed mt="xxs">
          {school_year !== null && `${school_year}・`}
          お子さまも、これと同じ画面を見られます。ご覧になったことは、お子さまの画面に記録されます。
        </Text>
      </div>
      <Group actions>
        <ButtonLink variant="default" to={paths.interviews(id)}>
          面談の予約・変更
        </ButtonLink>
      </Group>
      <LearnerOverview
        overview={overview}
        examResult={(exam) => paths.childExamResult(id, exam)}
        loadReport={(monday) => childWeeklyReport(id, monday)}
      />
      <Link id={id} />
    </Stack>
  );
}

/** The consent for the child, and the end of the link. */
function Link({ id }: { id: string }) {
  return (
    <QueryBoundary
      part
      query={useQuery(childrenQuery)}
      loading={<LoadingState rows={1} height="9rem" />}
    >
      {(children) => {
        const child = children.find((one) => one.id === id);
        if (child === undefined) return null;
        const { name, guardian_consent } = child;
        return (
          <>
            {guardian_consent !== "not_needed" && (
              <ChildConsent id={id} name={name} state={guardian_consent} />
            )}
            <Unlink child={child} />
          </>
        );
      }}
    </QueryBoundary>
  );
}

function ChildLoading() {
  return (
    <>
      <Head title="お子さまの学習" />
      <LoadingState rows={3} height="9rem" />
    </>
  );
}
