import { childQuery, type ChildCourse, type ChildProgress } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  TextLink,
  Badge,
  formatDate,
  formatLastDay,
  Group,
  Head,
  LoadingState,
  Text,
  Title,
  Panel,
  Stack,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { CourseProgress } from "../parts/CourseProgress";
import { ChildConsent } from "./ChildConsent";
import { ChildExams } from "./ChildExams";
import { ChildOverview } from "./ChildOverview";
import { Unlink } from "./Unlink";

/** /mypage/child/{id}: a child's progress for their guardian. */
export function ChildScreen() {
  const { account: id = "" } = useParams();
  const query = useQuery(childQuery(id));
  return (
    <>
      <TextLink to={paths.mypage()}>← マイページにもどる</TextLink>
      <QueryBoundary query={query} loading={<ChildLoading />}>
        {(child) => <Child child={child} />}
      </QueryBoundary>
    </>
  );
}

function Child({ child }: { child: ChildProgress }) {
  const { id, name, school_year, courses, guardian_consent } = child;
  return (
    <Stack gap="lg">
      <Head title={`${name}さんの学習`} />
      <div>
        <Title order={1} size="h2">
          {name}さんの学習
        </Title>
        <Text dimmed mt="xxs">
          {school_year !== null && `${school_year}・`}
          ご覧になったことは、お子さまの画面に記録されます。
        </Text>
      </div>
      {courses.length > 0 && <ChildOverview child={child} />}
      <Courses courses={courses} />
      <ChildExams id={id} />
      {guardian_consent !== "not_needed" && (
        <ChildConsent id={id} name={name} state={guardian_consent} />
      )}
      <Unlink child={child} />
    </Stack>
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

function Courses({ courses }: { courses: readonly ChildCourse[] }) {
  if (courses.length === 0) return <Text>まだ講座を持っていません。</Text>;
  return (
    <Stack as="ul" gap="sm">
      {courses.map((course) => (
        <Panel as="li" key={course.id} gap="sm">
          <Group gap="xs">
            <Title order={2} size="h4">
              {course.name}
            </Title>
            {course.completed_at !== null && (
              <Badge color="teal" size="lg">
                修了
              </Badge>
            )}
          </Group>
          <CourseProgress
            name={course.name}
            done={course.check_count}
            lessons={course.lesson_count}
            completed={course.completed_at !== null}
          />
          <Text size="sm" dimmed>
            {[lastLook(course), end(course)].filter(Boolean).join("・")}
          </Text>
        </Panel>
      ))}
    </Stack>
  );
}

/**
 * The day of the last watching. Empty if lessons are checked but none was watched: the child may
 * have learnt elsewhere.
 */
function lastLook({ last_watched_at: at, check_count: checks }: ChildCourse): string {
  if (at !== null) return `最後に学習した日：${formatDate(at)}`;
  return checks === 0 ? "まだ学習していません" : "";
}

function end({ expire_at }: ChildCourse): string {
  return expire_at === null ? "期限なし" : `${formatLastDay(expire_at)}まで`;
}
