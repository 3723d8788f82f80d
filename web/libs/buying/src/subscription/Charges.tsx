import { paths } from "@konomana/paths";
import {
  formatDate,
  formatYen,
  Group,
  Lines,
  Note,
  Text,
  TextLink,
  TitledPanel,
} from "@konomana/ui-base";
import type { Charge } from "../api";

/** The charges of a subscription, each with its receipt. */
export function Charges({ charges }: { charges: readonly Charge[] }) {
  return (
    <TitledPanel gap="sm" title="これまでのお支払い">
      {charges.length === 0 ? (
        <Text>まだお支払いがありません。</Text>
      ) : (
        <Lines>
          {charges.map(({ id, number, total, paid_at }) => (
            <Group as="li" key={id} gap="0.25rem 1rem" justify="space-between">
              <div>
                <Text bold>
                  {paid_at === null ? "お支払い待ち" : formatDate(paid_at)}・{formatYen(total)}
                </Text>
                <Note>注文番号 {number}</Note>
              </div>
              <Group gap="0rem 1rem">
                <TextLink to={paths.order(id)} aria-label={`ご注文の詳細（${number}）`}>
                  詳細
                </TextLink>
                {paid_at !== null && (
                  <TextLink to={paths.receipt(id)} aria-label={`領収書（${number}）`}>
                    領収書
                  </TextLink>
                )}
              </Group>
            </Group>
          ))}
        </Lines>
      )}
    </TitledPanel>
  );
}
