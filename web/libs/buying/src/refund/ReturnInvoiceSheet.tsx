import { formatDate, formatYen, Group, Panel } from "@konomana/ui-base";
import type { ReturnInvoice } from "../api";
import { ReceiptFact } from "../history/ReceiptFact";
import { withHonorific } from "../history/withHonorific";
import styles from "../history/receipt.module.css";

/** The printed return invoice. It states the same as its PDF, with everything required of a 適格返還請求書. */
export function ReturnInvoiceSheet({ invoice }: { invoice: ReturnInvoice }) {
  const { lines, total, tax, tax_rate: rate, addressee } = invoice;
  return (
    <Panel
      as="article"
      gap="1.25rem"
      className={`kn-column ${styles.sheet}`}
      aria-label="返還インボイス"
    >
      <Group as="header" align="start" justify="space-between" gap="0.5rem 2rem">
        <h2>
          返還インボイス<small>（適格返還請求書）</small>
        </h2>
        <dl className="kn-pairs">
          <ReceiptFact name="番号">{invoice.number}</ReceiptFact>
          <ReceiptFact name="注文番号">{invoice.order_number}</ReceiptFact>
          <ReceiptFact name="もとの領収書">{invoice.receipt_number}</ReceiptFact>
          <ReceiptFact name="発行日">{formatDate(invoice.issued_at)}</ReceiptFact>
        </dl>
      </Group>
      {addressee !== null && (
        <p className={`kn-bold ${styles.addressee}`}>{withHonorific(addressee)}</p>
      )}
      <p className={`kn-row ${styles.total}`}>
        <span>返金額</span>
        <strong className="kn-figure">{formatYen(total)}</strong>
        <span>（税込）</span>
      </p>
      <p>下記のとおり、返金いたしました。</p>
      <table className={`kn-table ${styles.lines}`} data-figures>
        <thead>
          <tr>
            <th scope="col">品名</th>
            <th scope="col">数量</th>
            <th scope="col">返金額（税込）</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, amount }, n) => (
            // oxlint-disable-next-line react/no-array-index-key -- two lines may have one name, and none moves
            <tr key={n}>
              <td>{name}</td>
              <td>1</td>
              <td>{formatYen(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
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
        <ReceiptFact name="お支払い日">{formatDate(invoice.paid_at)}</ReceiptFact>
        <ReceiptFact name="返金日">{formatDate(invoice.refunded_at)}</ReceiptFact>
        <ReceiptFact name="発行者">{invoice.issuer}</ReceiptFact>
        <ReceiptFact name="登録番号">{invoice.issuer_number}</ReceiptFact>
      </dl>
    </Panel>
  );
}
