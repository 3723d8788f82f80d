import { showBlue } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notificationsQuery, settings, type NotificationChoices } from "../api";

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
    const next = { ...current, ...choices, quiet_hours: choices.quiet_hours ?? null };
    queries.setQueryData(notificationsQuery.queryKey, next);
    saving.mutate(choices);
  };
  const save = (change: Partial<NotificationChoices>) => void apply(change);
  return { save, saving };
}
