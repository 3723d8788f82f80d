import { childQuery, childrenQuery, type Child } from "../api";
import type { User } from "@konomana/session";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  formatDate,
  LoadingState,
  Stack,
  Text,
  Title,
  Panel,
  Group,
  CoverLink,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { NoticesLine } from "../home/NoticesLine";
import { ChildOverview } from "./ChildOverview";

/** Lazy: learners open the same screen and do not need the form. */
const LinkChild = lazy(async () => ({ default: (await import("./LinkChild")).LinkChild }));

/** My page of a guardian: their children, and a form that links another one. */
export function GuardianHome({ user }: { user: User }) {
  const children = useQuery(childrenQuery);
  return (
    <Stack gap="xl">
      <Title order={1} size="h2">
        {user.last_name} {user.first_name}さん、こんにちは
      </Title>
      <NoticesLine />
      <section aria-labelledby="children">
        <Title order={2} size="h4" id="children" mb="sm">
          お子さま
        </Title>
        <QueryBoundary query={children} loading={<LoadingState rows={2} height="6rem" />}>
          {(list) => <Children list={list} />}
        </QueryBoundary>
      </section>
      <Panel as="section" gap="sm" aria-labelledby="link">
        <Title order={2} size="h4" id="link">
          お子さまとつながる
        </Title>
        <Text>
          お子さまの「設定」の「保護者とのつながり」で発行したコードを入力してください。つながると、学習と模試のようすを見られます。お子さまも、保護者の方と同じ画面を見られます。
        </Text>
        <Text>
          お子さまが18歳未満のときは、つながると、コノマナの利用と講座の購入に同意したことになります。同意は、いつでも取り消せます。
        </Text>
        <Suspense fallback={<LoadingState rows={1} height="8rem" />}>
          <LinkChild />
        </Suspense>
      </Panel>
    </Stack>
  );
}

function Children({ list }: { list: readonly Child[] }) {
  if (list.length === 0)
    return <Text dimmed>まだつながっていません。下の欄からつながることができます。</Text>;
  return (
    <>
      <Text size="sm" dimmed mb="sm">
        ご覧になったことは、お子さまの画面に記録されます。
      </Text>
      <Stack as="ul" gap="sm">
        {list.map((child) => (
          <Panel key={child.id} as="li" variant="raised" gap="md">
            <Group gap="0.25rem 1rem" justify="space-between">
              <div>
                <Title order={3} size="h4">
                  <CoverLink to={paths.child(child.id)}>{child.name}さん</CoverLink>
                </Title>
                <Text size="sm" dimmed>
                  {child.school_year !== null && `${child.school_year}・`}
                  {formatDate(child.since)}から
                </Text>
              </div>
              <Text as="span" accent bold aria-hidden="true">
                くわしく見る →
              </Text>
            </Group>
            <Glance id={child.id} />
          </Panel>
        ))}
      </Stack>
    </>
  );
}

/** A summary of a child's progress. */
function Glance({ id }: { id: string }) {
  return (
    <Stack gap="md" className="kn-above">
      <QueryBoundary
        part
        query={useQuery(childQuery(id))}
        loading={<LoadingState rows={1} height="9rem" />}
      >
        {(child) =>
          child.courses.length === 0 ? (
            <Text dimmed>まだ講座を持っていません。</Text>
          ) : (
            <ChildOverview child={child} />
          )
        }
      </QueryBoundary>
    </Stack>
  );
}
