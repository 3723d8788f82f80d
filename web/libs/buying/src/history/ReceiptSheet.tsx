import { Badge, formatDate, formatYen, Group, Panel } from "@konomana/ui-base";
import type { OrderLine, Receipt } from "../api";
import { methodNames } from "../method/methods";
import { formatDiscount } from "../order/formatDiscount";
import { learnerOf } from "../order/learnerOf";
import { ReceiptFact } from "./ReceiptFact";
import { withHonorific } from "./withHonorific";
import styles from "./receipt.module.css";

interface ReceiptSheetProps {
  /** An issued receipt, which has an addressee. */
  receipt: Receipt & { addressee: string };
}

/** The printed receipt. It states the same as its PDF, with everything required of a qualified invoice. */
export function ReceiptSheet({ receipt }: ReceiptSheetProps) {
  const { lines, discount, coupons, total, tax, tax_rate: rate } = receipt;
  return (
    <Panel as="article" gap="1.25rem" className={`kn-column ${styles.sheet}`} aria-label="領収書">
      <Group as="header" align="start" justify="space-between" gap="0.5rem 2rem">
        <h2>
          領収書<small>（適格請求書）</small>
          {receipt.issues > 1 && (
            <Badge color="gray" variant="outline" size="lg">
              再発行
            </Badge>
          )}
        </h2>
        <dl className="kn-pairs">
          <ReceiptFact name="領収書番号">{receipt.number}</ReceiptFact>
          <ReceiptFact name="注文番号">{receipt.order_number}</ReceiptFact>
          {receipt.issued_at !== null && (
            <ReceiptFact name="発行日">{formatDate(receipt.issued_at)}</ReceiptFact>
          )}
        </dl>
      </Group>
      <p className={`kn-bold ${styles.addressee}`}>{withHonorific(receipt.addressee)}</p>
      <p className={`kn-row ${styles.total}`}>
        <span>金額</span>
        <strong className="kn-figure">{formatYen(total)}</strong>
        <span>（税込）</span>
      </p>
      <p>
        {total === 0
          ? "クーポンのご利用により、お支払いいただいた金額は0円です。"
          : "下記のとおり、領収いたしました。"}
      </p>
      <table className={`kn-table ${styles.lines}`} data-figures>
        <thead>
          <tr>
            <th scope="col">品名</th>
            <th scope="col">数量</th>
            <th scope="col">金額（税込）</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.product_id} ${line.learner.id}`}>
              <td>
                {line.name}
                <br />
                <small>
                  {learnerLabelOf(line)}：{learnerOf(line)}
                </small>
              </td>
              <td>1</td>
              <td>{formatYen(line.price)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {discount > 0 && (
            <>
              <tr>
                <th scope="row" colSpan={2}>
                  小計
                </th>
                <td>{formatYen(total + discount)}</td>
              </tr>
              {coupons.map(({ id, name, amount }) => (
                <tr key={id}>
                  <th scope="row" colSpan={2}>
                    クーポン「{name}」
                  </th>
                  <td>{formatDiscount(amount)}</td>
                </tr>
              ))}
            </>
          )}
          <tr>
            <th scope="row" colSpan={2}>
              合計
            </th>
            <td>{formatYen(total)}</td>
          </tr>
          <tr>
            <th scope="row" colSpan={2}>
              {rate}%対象（税込）
            </th>
            <td>{formatYen(total)}</td>
          </tr>
          <tr>
            <th scope="row" colSpan={2}>
              内消費税（{rate}%）
            </th>
            <td>{formatYen(tax)}</td>
          </tr>
        </tfoot>
      </table>
      <dl className="kn-pairs">
        <ReceiptFact name="お支払い日">{formatDate(receipt.paid_at)}</ReceiptFact>
        <ReceiptFact name="お支払い方法">{methodNames[receipt.method]}</ReceiptFact>
        <ReceiptFact name="発行者">{receipt.issuer}</ReceiptFact>
        <ReceiptFact name="登録番号">{receipt.issuer_number}</ReceiptFact>
      </dl>
    </Panel>
  );
}

function learnerLabelOf({ kind }: OrderLine): string {
  if (kind === "subscription") return "利用される方";
  return kind === "exam_seat" ? "受験される方" : "受講される方";
}
