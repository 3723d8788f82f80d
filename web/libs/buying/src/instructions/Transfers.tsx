import {
  Badge,
  formatDateTime,
  formatYen,
  Group,
  Lines,
  Note,
  Text,
  TitledPanel,
} from "@konomana/ui-base";
import type { BankTransfer } from "../api";

/**
 * The received bank transfers and the remaining amount. Renders nothing if there is no transfer.
 */
export function Transfers({ transfer }: { transfer: BankTransfer }) {
  const { transfers, amount_received, amount_remaining } = transfer;
  if (transfers.length === 0) return null;
  return (
    <TitledPanel gap="sm" title="届いた振込">
      <Text>
        <span role="status">
          受け取った金額 <strong>{formatYen(amount_received)}</strong>
          {amount_remaining > 0 && (
            <>
              ・残り <strong>{formatYen(amount_remaining)}</strong>
            </>
          )}
        </span>
      </Text>
      <Lines>
        {transfers.map((one) => (
          <Group
            as="li"
            key={`${one.received_at} ${one.sender_name} ${one.amount}`}
            gap="0.25rem 1rem"
            justify="space-between"
          >
            <div>
              <Text bold>{formatYen(one.amount)}</Text>
              <Note>
                {formatDateTime(one.received_at)}・{one.sender_name}
              </Note>
              {one.is_other_name && !one.is_returned && (
                <Note>
                  ご注文者と名義がちがいますが、このご注文のお支払いとして受け取りました。
                </Note>
              )}
            </div>
            {one.is_returned && (
              <Badge color="gray" variant="outline" size="lg">
                お返しします
              </Badge>
            )}
          </Group>
        ))}
      </Lines>
    </TitledPanel>
  );
}
