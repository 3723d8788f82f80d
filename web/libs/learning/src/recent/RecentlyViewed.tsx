import { ConfirmButton } from "@konomana/query";
import { paths } from "@konomana/paths";
import { clearRecentlyViewed, useRecentlyViewed, type RecentCourse } from "@konomana/visitor";
import { EmptyState, Text, ButtonLink, Stack, Panel, Group, TextLink } from "@konomana/ui-base";
import { CourseArt } from "@konomana/ui-base/art";
import { useMutation } from "@tanstack/react-query";
import type { CSSProperties } from "react";

interface RecentlyViewedProps {
  /** Whether no user is signed in. */
  visitor: boolean;
}

/** The courses viewed in this browser, with a button that clears them. */
export function RecentlyViewed({ visitor }: RecentlyViewedProps) {
  const courses = useRecentlyViewed();
  return (
    <>
      {courses.length === 0 ? <NothingViewed /> : <ViewedCourses courses={courses} />}
      {visitor && (
        <Panel variant="tint" pad="1.25rem" gap="md" align="center" mt="1.5rem">
          <Text>
            講座をお持ちの方は、ログインすると、見たレッスンのつづきと、書いたノートが見られます。
          </Text>
          <ButtonLink to={paths.login()} variant="default">
            ログイン
          </ButtonLink>
        </Panel>
      )}
    </>
  );
}

function NothingViewed() {
  return (
    <EmptyState
      title="まだ見た講座がありません"
      action={<ButtonLink to={paths.courses()}>講座をさがす</ButtonLink>}
    >
      講座のページを開くと、ここに並びます。この記録は、このブラウザの中だけにあります。
    </EmptyState>
  );
}

function ViewedCourses({ courses }: { courses: readonly RecentCourse[] }) {
  const clearing = useMutation({ mutationFn: async () => clearRecentlyViewed() });
  return (
    <>
      <Group gap="0.5rem 1rem" justify="space-between" mb="md">
        <Text dimmed>このブラウザで見た講座です。新しいものから20件まで残ります。</Text>
        <ConfirmButton
          label="記録を消す"
          title="見た講座の記録を消しますか？"
          yes="消す"
          doing={clearing}
        >
          このブラウザに残っている記録がなくなります。もとにはもどせません。
        </ConfirmButton>
      </Group>
      <Stack as="ul" gap="sm">
        {courses.map(({ id, name, category, school_year }) => (
          <Panel key={id} as="li" pad="0.875rem 1.25rem" className="kn-row">
            <div className="kn-thumb">
              <CourseArt category={category} schoolYear={school_year} />
            </div>
            <div className="kn-grow" style={{ "--basis": "8rem" } as CSSProperties}>
              <Text size="sm" dimmed>
                {school_year} {category}
              </Text>
              <TextLink strong to={paths.course(id)}>
                {name}
              </TextLink>
            </div>
          </Panel>
        ))}
      </Stack>
    </>
  );
}
