import { ButtonLink } from "../button/ButtonLink";
import { Group } from "../layout/Group";
import { Stack } from "../layout/Stack";
import { formatDate } from "../page/format";
import { addDays } from "../page/calendarTime";
import { Text } from "../text/Text";

interface WeekLinksProps {
  /** `monday` is like `2026-11-30`. */
  week: { monday: string; has_previous: boolean; has_next: boolean };
  /** A day of the week that is loading. The links start from it. */
  loadingDay?: string | undefined;
  /** The address of the week of this day. */
  to: (day: string) => string;
}

/** The shown week, with links to the weeks before and after it. */
export function WeekLinks({ week, loadingDay = week.monday, to }: WeekLinksProps) {
  const { monday, has_previous, has_next } = week;
  // An address may have any text as its day.
  const day = isDay(loadingDay) ? loadingDay : monday;
  return (
    <Stack as="nav" gap="sm" aria-label="週">
      <Text bold role="status">
        {formatDate(`${monday}T00:00:00+09:00`)}からの1週間
      </Text>
      <Group gap="sm">
        {has_previous && (
          <ButtonLink variant="default" preventScrollReset to={to(addDays(day, -7))}>
            前の週
          </ButtonLink>
        )}
        {has_next && (
          <ButtonLink variant="default" preventScrollReset to={to(addDays(day, 7))}>
            次の週
          </ButtonLink>
        )}
      </Group>
    </Stack>
  );
}

const isDay = (text: string) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
