import { formatYen, Note, Stack, Text } from "@konomana/ui-base";
import type { BankTransfer } from "../api";
import { dueBy } from "../order/dueBy";
import { PaymentFact } from "./PaymentFact";

interface BankInstructionsProps {
  transfer: BankTransfer;
  /** When the unpaid order expires. */
  dueAt: string;
}

/**
 * Instructions for a bank transfer: the buyer's virtual account, the remaining amount and the
 * deadline.
 */
export function BankInstructions({ transfer, dueAt }: BankInstructionsProps) {
  const { amount_remaining: remaining, amount_received: received } = transfer;
  if (remaining === 0)
    return (
      <Text>全額が届きました。お支払いを確認しています。もう一度振り込む必要はありません。</Text>
    );
  return (
    <Stack gap="md">
      <Text>
        <strong>{dueBy(dueAt)}まで</strong>に着くように、下の口座へ
        {received > 0 ? "残りの" : ""}
        <strong>{formatYen(remaining)}</strong>を振り込んでください。
      </Text>
      <Stack as="dl" gap="sm">
        <PaymentFact name="振り込む金額" copies={String(remaining)} large>
          {formatYen(remaining)}
        </PaymentFact>
        <Account transfer={transfer} />
      </Stack>
      <Note>
        この口座は、お客さま専用です。ほかの方の振込には使えません。振込手数料は、お客さまのご負担です。土日や夜間の振込は、次の営業日に届くことがあります。
      </Note>
    </Stack>
  );
}

/** The buyer's virtual account. */
export function Account({ transfer }: Pick<BankInstructionsProps, "transfer">) {
  return (
    <>
      <PaymentFact name="銀行">{`${transfer.bank_name}（${transfer.bank_code}）`}</PaymentFact>
      <PaymentFact name="支店">{`${transfer.branch_name}（${transfer.branch_code}）`}</PaymentFact>
      <PaymentFact name="口座の種類">
        {transfer.account_type === "futsu" ? "普通" : "当座"}
      </PaymentFact>
      <PaymentFact name="口座番号" copies={transfer.account_number} large>
        {transfer.account_number}
      </PaymentFact>
      <PaymentFact name="口座名義" copies={transfer.account_holder}>
        {transfer.account_holder}
      </PaymentFact>
    </>
  );
}

const answers = [
  {
    question: "金額が少なかったとき",
    answer: "届いた金額を受け付けたまま、残りをお待ちします。残りの金額は、この画面に表示します。",
  },
  {
    question: "金額が多かったとき",
    answer: "ご注文の金額だけを受け取り、多かった分はお返しします。",
  },
  {
    question: "振込の名義がちがうとき",
    answer:
      "口座がお客さま専用なので、ご家族など別の名義で振り込んでも、ご注文のお支払いになります。",
  },
  {
    question: "期限に間に合わなかったとき",
    answer: "ご注文は自動で終了し、そのあとに届いたお金は全額お返しします。",
  },
];

/** Explains what happens to a transfer of another amount or at another time. */
export function TransferAnswers() {
  return (
    <dl className="kn-facts">
      {answers.map(({ question, answer }) => (
        <div key={question}>
          <dt>{question}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  );
}
