import { canBuy, cardQuery } from "@konomana/cart";
import { addressQuery, useSession } from "@konomana/session";
import { Badge, Head, Title, Stack, Group, Note, Rows, CoverLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { entriesOf } from "./entries";

/** /mypage/settings: the overview of all settings, with current values and missing ones. */
export function SettingsScreen() {
  const { user } = useSession();
  const { data: address } = useQuery(addressQuery);
  const { data: card } = useQuery({ ...cardQuery, enabled: user !== null && canBuy(user) });
  return (
    <Stack gap="lg" className="kn-column">
      <Head title="設定" />
      <Title order={1} size="h2">
        設定
      </Title>
      {user && (
        <Rows>
          {entriesOf(user, { address, card }).map((entry) => (
            <Group key={entry.to} as="li" gap="0.25rem 1rem" justify="space-between">
              <div>
                <CoverLink to={entry.to}>{entry.title}</CoverLink>
                <Note>{entry.text}</Note>
              </div>
              {entry.missing !== undefined && (
                <Badge color="red" variant={entry.urgent ? "filled" : "outline"} size="lg">
                  {entry.missing}
                </Badge>
              )}
            </Group>
          ))}
        </Rows>
      )}
    </Stack>
  );
}
