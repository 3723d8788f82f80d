import type { CourseOffer } from "../api";
import { formatSaleEnd, formatYen, Note, Text } from "@konomana/ui-base";

/** The price of a course, its period, and the end of its sale. */
export function Price({ product }: { product: CourseOffer | null }) {
  if (product === null) return <Text bold>この講座は、いまは販売していません。</Text>;
  const { price, period_days, sale_ends_at } = product;
  return (
    <div>
      <p>
        <strong className="kn-figure">{formatYen(price)}</strong>（税込）
      </p>
      <Note>
        {period_days === null ? "期限なしで使えます" : `購入から${period_days}日間使えます`}
      </Note>
      {sale_ends_at !== null && <Note>{formatSaleEnd(sale_ends_at)}</Note>}
    </div>
  );
}
