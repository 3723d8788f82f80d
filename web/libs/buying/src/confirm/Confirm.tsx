import { paths } from "@konomana/paths";
import {
  formatPrice,
  formatYen,
  Group,
  Lines,
  Note,
  Text,
  TextLink,
  TitledPanel,
} from "@konomana/ui-base";
import type { Confirmation } from "../api";
import { periodOf } from "../cart/period";
import { DiscountSums } from "../order/DiscountSums";
import { LinePrice } from "../order/LinePrice";
import styles from "./confirm.module.css";
import { PlaceOrder } from "./PlaceOrder";

/** Everything that the buyer agrees to, with the button that places the order beside it. */
export function Confirm({ confirmation }: { confirmation: Confirmation }) {
  const { document } = confirmation;
  return (
    <div className={styles.columns}>
      <TitledPanel title="ご注文の内容" gap="sm">
        <OrderedLines document={document} />
        <TextLink to={paths.cart()}>カートに戻って変える</TextLink>
        <TextLink to={paths.cartCoupons()}>
          {document.coupons.length === 0 ? "クーポンを使う" : "クーポンを変える"}
        </TextLink>
      </TitledPanel>
      <TitledPanel title="お支払いと条件" gap="md">
        <dl className={styles.terms}>
          {document.terms.map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <PlaceOrder confirmation={confirmation} />
      </TitledPanel>
    </div>
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
                {[`受講する方：${line.learner_name}さん`, periodOf(line.period_days), "1点"]
                  .filter(Boolean)
                  .join("・")}
              </Note>
            </div>
            <LinePrice price={line.price} discount={line.discount} />
          </Group>
        ))}
      </Lines>
      <div className={styles.sums}>
        <DiscountSums subtotal={total + discount} coupons={coupons} />
        <p className={styles.total}>
          <Note as="span">お支払いの合計</Note> {formatPrice(total)}
        </p>
        <Note>
          内消費税（{tax_rate}%）{formatYen(tax)}
        </Note>
      </div>
    </>
  );
}
