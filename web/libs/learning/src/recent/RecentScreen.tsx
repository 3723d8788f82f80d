import { paths, recentKinds, type RecentKind } from "@konomana/paths";
import { hasScope, useSession } from "@konomana/session";
import { ChipLinks, Head, LoadingState, Title } from "@konomana/ui-base";
import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { RecentlyViewed } from "./RecentlyViewed";
import { RecentLessons } from "./RecentLessons";

/** Lazy: only this list has a field of the UI kit. */
const MyNotes = lazy(async () => ({ default: (await import("./MyNotes")).MyNotes }));

const names: Readonly<Record<RecentKind, string>> = {
  lesson: "レッスン",
  note: "マイノート",
  course: "見た講座",
};

/**
 * /mypage/recent: a learner's watched lessons and notes, and for everyone the courses viewed in
 * this browser.
 */
export function RecentScreen() {
  const { user } = useSession();
  const shown = kindIn(useSearchParams()[0]);
  return (
    <>
      <Head title="最近見た" />
      <Title order={1} size="h2" mb="lg">
        最近見た
      </Title>
      {hasScope(user, "learner") ? (
        <>
          <ChipLinks
            scroll
            mb="lg"
            label="表示するもの"
            chips={recentKinds.map((kind) => ({
              to: paths.recent({ show: kind }),
              label: names[kind],
              chosen: kind === shown,
            }))}
          />
          <Chosen kind={shown} />
        </>
      ) : (
        <RecentlyViewed visitor={user === null} />
      )}
    </>
  );
}

function Chosen({ kind }: { kind: RecentKind }) {
  switch (kind) {
    case "lesson":
      return <RecentLessons />;
    case "note":
      return (
        <Suspense fallback={<LoadingState rows={4} height="6.5rem" />}>
          <MyNotes />
        </Suspense>
      );
    case "course":
      return <RecentlyViewed visitor={false} />;
  }
}

function kindIn(params: URLSearchParams): RecentKind {
  return recentKinds.find((kind) => kind === params.get("show")) ?? recentKinds[0];
}
