import { formatDateTime, formatPrice, Note } from "@konomana/ui-base";
import type { ExamCard } from "./api/examCardTypes";
import { formatDeadline, formatPeriod } from "./data/times";
import { Fact } from "./Fact";

/** The facts of an exam before an application: school year, subjects, dates, price and seats. */
export function ExamFacts({ exam }: { exam: ExamCard }) {
  const { school_year, subjects, application_closes_at, starts_at, ends_at, results_at } = exam;
  return (
    <dl className="kn-facts" data-ruled>
      <Fact name="試験の日時">
        {formatPeriod(starts_at, ends_at)}
        <Note>この間に、1教科ずつ受けられます。</Note>
      </Fact>
      <Fact name="申込の締め切り">{formatDeadline(application_closes_at)}まで</Fact>
      <Fact name="対象">{school_year}</Fact>
      <Fact name="教科">{subjects.join("・")}</Fact>
      <Fact name="料金">{priceOf(exam)}</Fact>
      {exam.seats_left !== null && (
        <Fact name="残りの席">
          {exam.seats_left === 0 ? "満席です" : `あと${exam.seats_left.toLocaleString("ja-JP")}人`}
        </Fact>
      )}
      <Fact name="結果の発表">{formatDateTime(results_at)}まで</Fact>
    </dl>
  );
}

function priceOf({ product_id, price }: ExamCard): string {
  if (product_id === null) return "無料";
  return price === null ? "カートでご確認ください" : formatPrice(price);
}
