import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import type { QueryState } from "@konomana/query";
import { hasScope, useSession } from "@konomana/session";
import { ButtonLink, EmptyState, Head, NotFoundContent, Stack, Title } from "@konomana/ui-base";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { ChildId } from "./interviewCalls";

/**
 * Shows a screen about the interviews of the child in the address, or without one, of the signed-in
 * learner. A guardian chooses a child first.
 */
export function OfLearner({ children }: { children: (child: ChildId) => ReactNode }) {
  const { user } = useSession();
  const [search] = useSearchParams();
  const child = search.get("child") || undefined;
  if (child !== undefined || hasScope(user, "learner")) return children(child);
  if (user === null) return null;
  if (!hasScope(user, "guardian")) return <NotFoundContent />;
  return (
    <Stack gap="lg">
      <Head title="面談" />
      <Title order={1} size="h2">
        面談
      </Title>
      <EmptyState
        title="お子さまをえらんでください"
        action={<ButtonLink to={paths.mypage()}>マイページへ</ButtonLink>}
      >
        マイページでお子さまの名前をえらぶと、その画面から面談を予約できます。
      </EmptyState>
    </Stack>
  );
}

/**
 * The query without what it loaded before, once the server answers 404: the link with the child has
 * ended.
 */
export function hideUnlinked<Data>(query: QueryState<Data>): QueryState<Data> {
  const { error } = query;
  const isGone = error instanceof ApiError && error.status === 404;
  return isGone ? { ...query, data: undefined } : query;
}
