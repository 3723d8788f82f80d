import { MyExams } from "@konomana/exam-card";
import {
  checkQuery,
  favoriteQuery,
  inventoryQuery,
  type MarkPage,
  wholeInventoryQuery,
} from "@konomana/learner";
import { recentQuery, type RecentPage } from "../api";
import type { User } from "@konomana/session";
import { paths } from "@konomana/paths";
import { Grid, Stack, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { Counts } from "./Counts";
import { ExpiringSoon } from "./ExpiringSoon";
import { GoOn } from "./GoOn";
import { Newcomer } from "./Newcomer";
import { NewestLessons, type NamedLesson } from "./NewestLessons";
import { NoticesLine } from "./NoticesLine";
import { ReviewDue } from "./ReviewDue";
import { TodayPlan } from "./TodayPlan";
import { Upcoming } from "./Upcoming";
import { itemsByCourse } from "../parts/itemsByCourse";
import { Week } from "./Week";

/**
 * My page of a learner: first the lesson to continue, then today (the plan and due questions), the upcoming dates, the
 * notices, and the progress. Each part loads and fails independently.
 */
export function LearnerHome({ user }: { user: User }) {
  const inventory = useQuery(inventoryQuery());
  // Counts as its list does: a course that was bought again counts once.
  const courses = useQuery({ ...wholeInventoryQuery, select: (all) => itemsByCourse(all).size });
  const favorites = useQuery(favoriteQuery());
  const checks = useQuery(checkQuery());
  const watched = useQuery({ ...recentQuery(), select: watchedLessons });
  const starred = useQuery({ ...favoriteQuery(), select: starredLessons });
  if (inventory.data?.count === 0) return <Newcomer user={user} />;
  return (
    <Stack gap="xl">
      <Title order={1} size="h2">
        {user.last_name} {user.first_name}さん、おかえりなさい
      </Title>
      <GoOn />
      <Grid wideCols={2} gap="lg">
        <TodayPlan />
        <ReviewDue />
      </Grid>
      <Upcoming />
      <MyExams />
      <NoticesLine />
      <Grid wideCols={2} gap="lg">
        <Week />
        <ExpiringSoon />
      </Grid>
      <Counts
        courses={courses.data}
        completed={inventory.data?.complete_count}
        checks={checks.data?.count}
        favorites={favorites.data?.count}
      />
      <Grid wideCols={2} gap="lg">
        <NewestLessons
          title="最近見たレッスン"
          all={paths.recent()}
          empty="レッスンを見ると、ここに並びます。"
          query={watched}
        />
        <NewestLessons
          title="さいきんのお気に入り"
          all={paths.favorites()}
          empty="レッスンの星を押すと、ここに並びます。"
          query={starred}
        />
      </Grid>
    </Stack>
  );
}

function watchedLessons({ results }: RecentPage): NamedLesson[] {
  return results.map(({ lesson, course }) => ({ ...lesson, course: course.name }));
}

function starredLessons({ results }: MarkPage): NamedLesson[] {
  return results.map(({ lesson }) => ({ ...lesson, course: lesson.unit.chapter.course.name }));
}
