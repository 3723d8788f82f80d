import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  formatPrice,
  formatYen,
  Group,
  LoadingState,
  Lines,
  Note,
  Stack,
  Text,
  TextLink,
  TitledPanel,
} from "@konomana/ui-base";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Confirmation, PaymentMethod } from "../api";
import { periodOf } from "../cart/period";
import { ContractDocument } from "../order/ContractDocument";
import { takerOf } from "../order/takerOf";
import { DiscountSums } from "../order/DiscountSums";
import { LinePrice } from "../order/LinePrice";
import styles from "./confirm.module.css";
import { MethodChoice } from "./MethodChoice";
import { PlaceOrder } from "./PlaceOrder";

interface ConfirmProps {
  /** The last confirmation that was loaded. */
  shown: Confirmation;
  /** The confirmation for the chosen method. */
  query: UseQueryResult<Confirmation>;
  chosen: PaymentMethod;
  onChoose: (method: PaymentMethod) => void;
  /** Fetches the current confirmation. */
  onRenew: () => Promise<Confirmation | undefined>;
}

/** The terms that the buyer agrees to, with the button that places the order. */
export function Confirm({ shown, query, chosen, onChoose, onRenew }: ConfirmProps) {
  const { coupons, contract } = shown.document;
  return (
    <Stack gap="1.25rem">
      <MethodChoice confirmation={shown} chosen={chosen} onChoose={onChoose} />
      <div className={`kn-columns ${styles.columns}`}>
        <Stack gap="1.5rem">
          <TitledPanel title="ご注文の内容" gap="sm">
            <OrderedLines document={shown.document} />
            <TextLink to={paths.cart()}>カートに戻って変える</TextLink>
            <TextLink to={paths.cartCoupons()}>
              {coupons.length === 0 ? "クーポンを使う" : "クーポンを変える"}
            </TextLink>
          </TitledPanel>
          {contract !== undefined && (
            <TitledPanel title="概要書面（特定継続的役務提供）" gap="sm">
              <div aria-busy={query.isPlaceholderData}>
                <ContractDocument sections={contract} />
              </div>
            </TitledPanel>
          )}
        </Stack>
        <TitledPanel title="お支払いと条件" gap="md">
          <QueryBoundary query={query} loading={<LoadingState rows={1} height="18rem" />} part>
            {(confirmation) => (
              <Agreement
                confirmation={confirmation}
                isComing={query.isPlaceholderData}
                onRenew={onRenew}
              />
            )}
          </QueryBoundary>
        </TitledPanel>
      </div>
    </Stack>
  );
}

interface AgreementProps extends Pick<ConfirmProps, "onRenew"> {
  confirmation: Confirmation;
  /**
   * Whether the confirmation of the chosen method is still loading. Until then the terms of another
   * method are shown.
   */
  isComing: boolean;
}

function Agreement({ confirmation, isComing, onRenew }: AgreementProps) {
  return (
    <>
      <dl className="kn-facts" aria-busy={isComing}>
        {confirmation.document.terms.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="kn-small">{text}</dd>
          </div>
        ))}
      </dl>
      <PlaceOrder confirmation={confirmation} isComing={isComing} onRenew={onRenew} />
    </>
  );
}

function OrderedLines({
  document: { lines, discount, coupons, total, tax, tax_rate },
}: Pick<Confirmation, "document">) {
  return (
    <>
      <Lines>
        {lines.map((line) => (
          <Group
            as="li"
            key={`${line.product_id} ${line.learner_id}`}
            gap="0rem 1rem"
            justify="space-between"
            align="baseline"
          >
            <div>
              <Text bold>{line.name}</Text>
              <Note>
                {[`${takerOf(line.kind)}：${line.learner_name}さん`, periodOf(line), "1点"]
                  .filter(Boolean)
                  .join("・")}
              </Note>
            </div>
            <LinePrice line={line} />
          </Group>
        ))}
      </Lines>
      <div className="kn-ruled kn-end">
        <DiscountSums subtotal={total + discount} coupons={coupons} />
        <p>
          <Note as="span">お支払いの合計</Note>{" "}
          <strong className="kn-figure">{formatPrice(total)}</strong>
        </p>
        <Note>
          内消費税（{tax_rate}%）{formatYen(tax)}
        </Note>
      </div>
    </>
  );
}
