import { idempotencyKey, serverTime, type StoredKey } from "@konomana/http";
import { paths } from "@konomana/paths";
import { FailureAlert, QueryBoundary, useCountdown } from "@konomana/query";
import { createDraft } from "@konomana/session";
import {
  Alert,
  Button,
  ChipLinks,
  EmptyState,
  formatDate,
  formatDuration,
  formatPeriod,
  formatTime,
  Grid,
  Group,
  Head,
  LoadingState,
  Note,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
  WeekLinks,
} from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import {
  bookInterview,
  type ChildId,
  holdSlot,
  type InterviewHold,
  interviewKey,
  interviewQuery,
  interviewsQuery,
  type InterviewSlot,
  type InterviewWeek,
  interviewWeekQuery,
  releaseSlot,
} from "./interviewCalls";
import { hideUnlinked, OfLearner } from "./OfLearner";

/** The idempotency key of the booking, until it is made. */
const keyStore = createDraft<StoredKey>("interview.key", ["key", "content"]);

/** /mypage/interview/register/{id}: the free slots of a week; a chosen slot is held and confirmed. */
export function InterviewSlotsScreen() {
  return <OfLearner>{(child) => <Slots key={child} child={child} />}</OfLearner>;
}

function Slots({ child }: { child: ChildId }) {
  const kind = Number(useParams()["id"]);
  const [search] = useSearchParams();
  const day = search.get("day") ?? undefined;
  const loaded = useQuery(interviewWeekQuery(kind, day, child));
  const query = hideUnlinked(loaded);
  const name = query.data?.kind_name ?? "面談";
  return (
    <Stack gap="lg">
      <Head title={`${name}の日時をえらぶ`} />
      <TextLink to={paths.interviewKinds(child)}>← 面談の種類</TextLink>
      <Title order={1} size="h2">
        {name}の日時をえらぶ
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={3} height="7rem" />}>
        {(week) => (
          <Week
            kind={kind}
            week={week}
            day={day}
            isLoading={loaded.isPlaceholderData}
            child={child}
            teacher={search.get("teacher") ?? undefined}
            change={search.get("change") ?? undefined}
          />
        )}
      </QueryBoundary>
    </Stack>
  );
}

interface WeekProps {
  kind: number;
  week: InterviewWeek;
  /** A day of the week in the address. */
  day: string | undefined;
  /** Whether that week is loading, and `week` is the one before. */
  isLoading: boolean;
  /** Only the slots of this teacher. */
  teacher: string | undefined;
  /** The interview to be replaced. */
  change: string | undefined;
  child: ChildId;
}

function Week({ kind, week, day, isLoading, teacher, change, child }: WeekProps) {
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: interviewKey });
  const holding = useMutation({
    mutationFn: (slot: InterviewSlot) => holdSlot(slot.id, change ?? null, child),
    onSettled: reload,
  });
  const hold = week.hold?.kind === kind ? week.hold : null;
  const teachers = [...new Set(week.slots.map((slot) => slot.teacher))].toSorted();
  const slots = week.slots.filter((slot) => teacher === undefined || slot.teacher === teacher);
  const to = (more: { day?: string; teacher?: string | undefined }) =>
    paths.interviewSlots(kind, { day, teacher, change, child, ...more });
  return (
    <Stack gap="lg" aria-busy={isLoading}>
      {change !== undefined && <Changed id={change} child={child} />}
      {hold !== null && (
        <Held
          key={`${hold.slot.id} ${hold.held_until}`}
          hold={hold}
          isNew={holding.variables !== undefined}
          child={child}
          reload={reload}
        />
      )}
      {holding.isError && (
        <FailureAlert
          key={holding.submittedAt}
          error={holding.error}
          title="この日時はえらべませんでした"
        />
      )}
      <WeekLinks
        week={week}
        loadingDay={isLoading ? day : undefined}
        to={(next) => to({ day: next })}
      />
      {(teachers.length > 1 || teacher !== undefined) && (
        <ChipLinks
          label="先生でしぼる"
          preventScrollReset
          chips={[
            {
              to: to({ teacher: undefined }),
              label: "すべての先生",
              chosen: teacher === undefined,
            },
            ...teachers.map((name) => ({
              to: to({ teacher: name }),
              label: `${name}先生`,
              chosen: teacher === name,
            })),
          ]}
        />
      )}
      {slots.length === 0 ? (
        <EmptyState title="この週に空いている日時はありません">
          {week.has_previous || week.has_next
            ? "ほかの週もごらんください。"
            : "新しい日時が入るまで、お待ちください。"}
        </EmptyState>
      ) : (
        <Stack gap="md">
          {daysOf(slots).map(([date, times]) => (
            <Day
              key={date}
              day={date}
              times={times}
              held={hold?.slot.id}
              busy={holding.isPending}
              choose={holding.mutate}
            />
          ))}
        </Stack>
      )}
      <Note>時刻は日本時間です。えらんだ日時は、5分間ほかの人に取られません。</Note>
    </Stack>
  );
}

/** The slots by day in Tokyo, in their order. */
function daysOf(slots: readonly InterviewSlot[]): [string, InterviewSlot[]][] {
  return [...Map.groupBy(slots, ({ starts_at }) => formatDate(starts_at))];
}

interface DayProps {
  day: string;
  times: readonly InterviewSlot[];
  /** The slot that the learner holds. */
  held: string | undefined;
  busy: boolean;
  choose: (slot: InterviewSlot) => void;
}

function Day({ day, times, held, busy, choose }: DayProps) {
  const id = useId();
  return (
    <Panel as="section" gap="sm" aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {day}
      </Title>
      <Grid as="ul" min="11rem" gap="sm">
        {times.map((slot) => (
          <li key={slot.id}>
            <Button
              fullWidth
              variant={slot.id === held ? "filled" : "default"}
              aria-pressed={slot.id === held}
              aria-label={`${day} ${formatTime(slot.starts_at)} ${slot.teacher}先生`}
              aria-disabled={busy}
              onClick={() => !busy && choose(slot)}
            >
              {formatTime(slot.starts_at)} {slot.teacher}先生
            </Button>
          </li>
        ))}
      </Grid>
    </Panel>
  );
}

function Changed({ id, child }: { id: string; child: ChildId }) {
  const { data } = useQuery(interviewQuery(id, child));
  if (data === undefined || data.is_cancelled) return null;
  return (
    <Alert color="blue" title="日時を変えます">
      新しい日時の予約が完了すると、いまの予約（{formatPeriod(data)}、{data.teacher}
      先生）は取り消されます。
    </Alert>
  );
}

interface HeldProps {
  hold: InterviewHold;
  /** Whether it was made on this page, which then moves the focus here. */
  isNew: boolean;
  child: ChildId;
  reload: () => Promise<void>;
}

/** The held slot, with the time left to confirm it. */
function Held({ hold, isNew, child, reload }: HeldProps) {
  const { slot, held_until, replaces } = hold;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [until] = useState(() => Date.now() + Date.parse(held_until) - serverTime());
  const [left] = useCountdown(until);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNew) panel.current?.focus();
  }, [isNew]);
  const booking = useMutation({
    mutationFn: () =>
      bookInterview(slot.id, idempotencyKey(keyStore, { slot: slot.id, held_until }), child),
    onSuccess: ({ id }) => {
      keyStore.clear();
      // A list from before the booking would show a replaced interview, whose buttons do nothing.
      queries.removeQueries({ queryKey: interviewsQuery(child).queryKey });
      void reload();
      void navigate(paths.interviewBooked(id, child), { replace: true });
    },
  });
  const releasing = useMutation({
    mutationFn: () => releaseSlot(slot.id, child),
    onSettled: reload,
  });
  const isOver = left === 0;
  return (
    <Panel
      ref={panel}
      as="section"
      variant="raised"
      pad="lg"
      gap="sm"
      tabIndex={-1}
      aria-label="予約の確認"
    >
      <Title order={2} size="h4">
        この日時で予約しますか？
      </Title>
      <Text bold>{formatPeriod(slot)}</Text>
      <Text>{slot.teacher}先生</Text>
      {replaces !== null && <Note>予約すると、前の予約は取り消されます。</Note>}
      {isOver ? (
        <Alert color="gray">時間がたったため、この日時はほかの人もえらべるようになりました。</Alert>
      ) : (
        <Text role="timer" aria-label="確認できる時間">
          あと{formatDuration(left)}のあいだ、この日時をおさえています。
        </Text>
      )}
      {booking.isError && (
        <FailureAlert
          key={booking.submittedAt}
          error={booking.error}
          title="予約できませんでした"
        />
      )}
      <Group actions gap="sm">
        {!isOver && (
          <Button busy={booking.isPending} onClick={() => booking.mutate()}>
            {booking.isPending ? "予約しています…" : "予約する"}
          </Button>
        )}
        <Button variant="default" busy={releasing.isPending} onClick={() => releasing.mutate()}>
          えらび直す
        </Button>
      </Group>
    </Panel>
  );
}
