import { showBlue } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notificationsQuery, settings, type NotificationChoices, type Notifications } from "../api";

/** The topics of this release. The server keeps the settings of others. */
const topics: NotificationChoices["topics"] = [
  "answer",
  "interview",
  "event",
  "exam_result",
  "weekly_report",
  "notice",
];

const mutationKey = ["notification-settings"];

/**
 * Saves a change at once. The screen shows the change before the server has stored it, and the
 * stored settings after a failure. Changes are sent one after another, each with all settings, so
 * the last one holds.
 */
export function useSaveNotifications() {
  const queries = useQueryClient();
  const saving = useMutation({
    mutationKey,
    scope: { id: "notification-settings" },
    mutationFn: (choices: NotificationChoices) => settings.saveNotifications(choices),
    onSuccess: () => showBlue("保存しました。"),
    // A waiting change sends all settings again, so only the last failure loads the stored ones.
    onError: () =>
      queries.isMutating({ mutationKey }) === 1
        ? queries.invalidateQueries(notificationsQuery)
        : undefined,
  });
  const apply = async (change: Partial<NotificationChoices>) => {
    // An answer that is on its way would undo the change on screen.
    await queries.cancelQueries({ queryKey: notificationsQuery.queryKey });
    const current = queries.getQueryData(notificationsQuery.queryKey);
    if (current === undefined) return;
    const { mail_off, push_off, quiet_hours } = current;
    const choices = { mail_off, push_off, quiet_hours, ...change };
    const quiet = choices.quiet_hours ?? null;
    // The server takes quiet hours that follow from the age as a choice once they change.
    const byAge = current.is_quiet_by_age && isSame(quiet, current.quiet_hours);
    const next = { ...current, ...choices, quiet_hours: quiet, is_quiet_by_age: byAge };
    queries.setQueryData(notificationsQuery.queryKey, next);
    saving.mutate({ ...choices, topics });
  };
  const save = (change: Partial<NotificationChoices>) => void apply(change);
  return { save, saving };
}

const isSame = (one: Notifications["quiet_hours"], other: Notifications["quiet_hours"]) =>
  one?.from === other?.from && one?.until === other?.until;
