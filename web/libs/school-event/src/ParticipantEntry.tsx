import { ConfirmButton, FailureAlert } from "@konomana/query";
import { Button, formatDateTime, Group, showBlue, Stack, Text, Title } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { EventCalendarButton } from "./EventCalendarButton";
import {
  acceptPlace,
  cancelEntry,
  type Child,
  type EventEntry,
  type SchoolEvent,
  schoolEventKey,
  schoolEventQuery,
  signUp,
} from "./schoolEventCalls";

interface ParticipantEntryProps {
  event: SchoolEvent;
  /** The newest entry of the participant. */
  entry: EventEntry | undefined;
  /** The child who takes part; `null`: the person. */
  child: Pick<Child, "id" | "name"> | null;
  /** Whether the page has several participants. */
  isNamed: boolean;
}

/** The state of one participant, and what they can do now. */
export function ParticipantEntry({ event, entry, child, isNamed }: ParticipantEntryProps) {
  const message = useRef<HTMLDivElement>(null);
  const taking = useEventMutation(event.id, async () => {
    const answer =
      entry?.state === "offered"
        ? await acceptPlace(entry.id)
        : await signUp(event.id, child?.id ?? null);
    const taken = findEntry(answer, child, entry);
    showBlue(
      taken?.state === "waiting"
        ? `満席のため、キャンセル待ちになりました。${taken.position}番目です。`
        : "申し込みました。",
    );
    return answer;
  });
  const cancelling = useEventMutation(event.id, async () => {
    const answer = await cancelEntry(entry?.id ?? "");
    showBlue("取り消しました。");
    return answer;
  });
  const hasTaken = taking.isSuccess;
  useEffect(() => {
    // The pressed button is gone.
    if (hasTaken) message.current?.focus();
  }, [hasTaken]);
  const action = findAction(event, entry);
  const cancel = event.can_cancel ? findCancel(entry) : null;
  const name = child?.name ?? "ご本人";
  const fullLabel = (label: string) => (isNamed ? `${name}：${label}` : label);
  return (
    <Stack gap="sm" role="group" aria-label={name}>
      {isNamed && (
        <Title order={3} size="h5">
          {name}
        </Title>
      )}
      <div ref={message} role="status" tabIndex={-1}>
        <Text>{describeState(event, entry)}</Text>
      </div>
      {taking.isError && (
        <FailureAlert key={taking.submittedAt} error={taking.error} title="申し込めませんでした" />
      )}
      <Group gap="sm">
        {action !== null && (
          <Button
            busy={taking.isPending}
            onClick={() => taking.mutate()}
            aria-label={fullLabel(action)}
          >
            {taking.isPending ? "お待ちください…" : action}
          </Button>
        )}
        {entry?.state === "signed_up" && event.can_cancel && <EventCalendarButton event={event} />}
        {cancel !== null && (
          <ConfirmButton
            label={cancel.label}
            fullLabel={fullLabel(cancel.label)}
            title={cancel.title}
            yes={cancel.label}
            doing={cancelling}
          >
            {cancel.consequence}
          </ConfirmButton>
        )}
      </Group>
    </Stack>
  );
}

/** A change of an entry. Its answer is the new event; after a refusal the event is loaded again. */
function useEventMutation(id: number, change: () => Promise<SchoolEvent>) {
  const queries = useQueryClient();
  return useMutation<SchoolEvent, Error, void>({
    mutationFn: change,
    onSuccess: (event) => {
      queries.setQueryData(schoolEventQuery(id).queryKey, event);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: schoolEventKey }),
  });
}

function findEntry(
  { entries }: SchoolEvent,
  child: ParticipantEntryProps["child"],
  before: EventEntry | undefined,
): EventEntry | undefined {
  const id = child?.id ?? before?.participant;
  return id === undefined
    ? entries.find(({ state }) => state === "waiting" || state === "signed_up")
    : entries.find(({ participant }) => participant === id);
}

/** The label of the button that takes a place, or `null`. */
function findAction(event: SchoolEvent, entry: EventEntry | undefined): string | null {
  if (entry?.state === "offered") return event.can_cancel ? "参加する" : null;
  if (entry?.state === "signed_up" || entry?.state === "waiting" || !event.can_sign_up) return null;
  return event.places_left > 0 ? "申し込む" : "キャンセル待ちに申し込む";
}

/** The words of the button that ends an entry, or `null`. */
function findCancel(entry: EventEntry | undefined) {
  switch (entry?.state) {
    case "signed_up":
      return {
        label: "申し込みを取り消す",
        title: "申し込みを取り消しますか？",
        consequence:
          "席は、キャンセル待ちの方にご案内します。満席のときは、すぐには申し込みなおせません。",
      };
    case "waiting":
      return {
        label: "キャンセル待ちをやめる",
        title: "キャンセル待ちをやめますか？",
        consequence: "もう一度申し込むと、キャンセル待ちの最後に並びます。",
      };
    case "offered":
      return {
        label: "参加しない",
        title: "参加しないで、席をゆずりますか？",
        consequence:
          "席は、次の方にご案内します。もう一度申し込むと、キャンセル待ちの最後に並びます。",
      };
    default:
      return null;
  }
}

function describeState(event: SchoolEvent, entry: EventEntry | undefined): string {
  switch (entry?.state) {
    case "signed_up":
      return event.can_cancel
        ? "申し込み済みです。ご参加をお待ちしています。"
        : "申し込み済みのイベントです。";
    case "waiting":
      return event.can_cancel
        ? `キャンセル待ちの${entry.position}番目です。空きが出ると、メールでご案内します。`
        : "キャンセル待ちのまま、イベントが始まりました。ご案内できず、申し訳ありません。";
    case "offered":
      return `空きが出たため、席をお取りしています。${formatDateTime(entry.offer_until ?? event.starts_at)}までに、参加するかどうかをお選びください。期限が過ぎると、次の方にご案内します。`;
    case "lapsed":
      return `ご案内した席は、お返事の期限が過ぎました。${againOf(event)}`;
    case "cancelled":
      return `申し込みを取り消しました。${againOf(event)}`;
    default:
      return describeFree(event);
  }
}

function againOf(event: SchoolEvent): string {
  return event.can_sign_up ? "もう一度申し込めます。" : "受け付けは終わりました。";
}

function describeFree({ can_sign_up, places_left, waiting }: SchoolEvent): string {
  if (!can_sign_up) return "受け付けは終わりました。";
  if (places_left > 0) return `あと${places_left}席です。`;
  return `満席です。いま${waiting}人がキャンセル待ちをしています。空きが出ると、順番にメールでご案内します。`;
}
