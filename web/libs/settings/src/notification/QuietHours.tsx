import { FailureAlert } from "@konomana/query";
import { Checkbox, Group, Text } from "@konomana/ui-base";
import { SelectField } from "@konomana/ui-kit";
import type { Notifications } from "../api";
import { useSaveNotifications } from "./useSaveNotifications";

/** Maximum length in hours, as on the server. */
const LIMIT = 12;
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const usual = { from: 21, until: 7 };

/** The hours in which nothing is sent. */
export function QuietHours({
  settings: { quiet_hours: quiet, is_quiet_by_age: byAge },
}: {
  settings: Notifications;
}) {
  const { save, saving } = useSaveNotifications();
  return (
    <>
      {saving.isError && (
        <FailureAlert key={saving.submittedAt} error={saving.error} title="保存できませんでした" />
      )}
      <Text>この時間に出たお知らせは、終わりの時刻にお送りします。</Text>
      {byAge && quiet !== null && (
        <Text>
          18歳未満の方は、ご自分で変えるまで、{quiet.from}時から{quiet.until}
          時までは受け取りません。
        </Text>
      )}
      <Checkbox
        label="決まった時間は受け取らない"
        checked={quiet !== null}
        onChange={({ currentTarget: { checked } }) => save({ quiet_hours: checked ? usual : null })}
      />
      {quiet !== null && (
        <Group gap="md">
          <SelectField
            label="始まり"
            value={String(quiet.from)}
            data={hours.map(option)}
            onChange={({ currentTarget: { value } }) =>
              save({ quiet_hours: withinLimit(Number(value), quiet.until) })
            }
          />
          <SelectField
            label="終わり"
            value={String(quiet.until)}
            data={hoursAfter(quiet.from).map(option)}
            onChange={({ currentTarget: { value } }) =>
              save({ quiet_hours: { ...quiet, until: Number(value) } })
            }
          />
        </Group>
      )}
    </>
  );
}

const option = (hour: number) => ({ value: String(hour), label: `${hour}時` });

/** The possible ends of quiet hours. */
function hoursAfter(from: number): number[] {
  return Array.from({ length: LIMIT }, (_, index) => (from + 1 + index) % 24);
}

/** Keeps the end if it is possible with the new start. */
function withinLimit(from: number, until: number) {
  return { from, until: hoursAfter(from).includes(until) ? until : (from + LIMIT) % 24 };
}
