import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  ButtonLink,
  EmptyState,
  formatDate,
  Group,
  Head,
  LoadingState,
  Note,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { Portrait } from "@konomana/ui-base/art";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { ClassCalendarButton, titleOf } from "./ClassCalendarButton";
import { type ClassWeek, classWeekQuery, type LearnerClass } from "./classCalls";
import { addDays, formatPeriod } from "./classTime";
import { HomeworkPanel } from "./HomeworkPanel";
import { JoinButton, LiveLessonPanel } from "./LiveLessonPanel";
import styles from "./class.module.css";

const WEEK_DAYS = 7;

/** /mypage/class: the learner's classes with their teachers, a week of live lessons, and the homework. */
export function ClassScreen() {
  const [search] = useSearchParams();
  const query = useQuery(classWeekQuery(search.get("day") ?? undefined));
  return (
    <Stack gap="lg">
      <Head title="クラス" />
      <Title order={1} size="h2">
        クラス
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={3} height="9rem" />}>
        {(week) => (week.classes.length === 0 ? <NoClass /> : <Classes week={week} />)}
      </QueryBoundary>
    </Stack>
  );
}

function NoClass() {
  return (
    <>
      <EmptyState title="参加しているクラスはありません">
        クラスのある講座を持っていると、先生のライブ授業の時間割がここに出ます。講座の期限が切れると、クラスも終わります。
      </EmptyState>
      <Group actions gap="sm">
        <ButtonLink to={paths.courses()}>講座をさがす</ButtonLink>
        <ButtonLink variant="default" to={paths.ownedCourses()}>
          所有講座を見る
        </ButtonLink>
      </Group>
    </>
  );
}

function Classes({ week }: { week: ClassWeek }) {
  const { classes, lessons, homework } = week;
  return (
    <>
      <Stack as="ul" gap="sm" aria-label="わたしのクラス">
        {classes.map((one) => (
          <MyClass key={one.id} of={one} />
        ))}
      </Stack>
      <Stack as="section" gap="sm" aria-labelledby="timetable">
        <Title order={2} size="h4" id="timetable">
          時間割
        </Title>
        <WeekLinks week={week} />
        {lessons.length === 0 ? (
          <EmptyState title="この週に授業はありません">前後の週もご覧ください。</EmptyState>
        ) : (
          <Stack as="ul" gap="sm" aria-label="この週の授業">
            {lessons.map((lesson) => (
              <LiveLessonPanel key={lesson.id} lesson={lesson} />
            ))}
          </Stack>
        )}
      </Stack>
      {homework.length > 0 && (
        <TitledPanel title="宿題" gap="md">
          <Stack as="ul" gap="md">
            {homework.map((lesson) => (
              <HomeworkPanel key={lesson.id} lesson={lesson} />
            ))}
          </Stack>
        </TitledPanel>
      )}
    </>
  );
}

/** A class with its teacher and its next lesson. */
function MyClass({ of }: { of: LearnerClass }) {
  const { name, course, item_id, teacher, next_lesson } = of;
  return (
    <Panel as="li" gap="sm">
      <div className={styles.head}>
        <div className="kn-round">
          <Portrait id={teacher.id} />
        </div>
        <div>
          <Title order={2} size="h4">
            {name}
          </Title>
          <Text>
            担任：<TextLink to={paths.teacher(teacher.id)}>{teacher.name}先生</TextLink>
          </Text>
          <Note>
            講座：<TextLink to={paths.ownedCourse(item_id)}>{course.name}</TextLink>
          </Note>
        </div>
      </div>
      {next_lesson === null ? (
        <Note>これからの授業はありません。</Note>
      ) : (
        <>
          <Text>
            <strong>{next_lesson.join_url === null ? "次の授業" : "授業に参加できます"}</strong>：
            {formatPeriod(next_lesson)} {titleOf(next_lesson)}
          </Text>
          <JoinButton lesson={next_lesson} />
        </>
      )}
      <Group actions>
        <ClassCalendarButton of={of} />
      </Group>
    </Panel>
  );
}

function WeekLinks({ week: { monday, has_previous, has_next } }: { week: ClassWeek }) {
  return (
    <Stack as="nav" gap="sm" aria-label="週">
      <Text bold role="status">
        {formatDate(`${monday}T00:00:00+09:00`)}からの1週間
      </Text>
      <Group gap="sm">
        {has_previous && (
          <ButtonLink
            variant="default"
            preventScrollReset
            to={paths.classWeek(addDays(monday, -WEEK_DAYS))}
          >
            前の週
          </ButtonLink>
        )}
        {has_next && (
          <ButtonLink
            variant="default"
            preventScrollReset
            to={paths.classWeek(addDays(monday, WEEK_DAYS))}
          >
            次の週
          </ButtonLink>
        )}
      </Group>
    </Stack>
  );
}
