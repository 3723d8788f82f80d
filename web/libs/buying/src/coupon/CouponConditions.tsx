import { productQuery } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { TextLink } from "@konomana/ui-base";
import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Coupon } from "../api";
import { combinationWords, kindsWords, minimumWords, periodWords } from "./couponWords";

/** The conditions of a coupon: period, products and number of uses. */
export function CouponConditions({ coupon }: { coupon: Coupon }) {
  const { product_ids, per_account, remaining_uses } = coupon;
  return (
    <dl className="kn-facts">
      <Condition name="使える期間">{periodWords(coupon)}</Condition>
      <Condition name="使える商品">
        {product_ids === null ? kindsWords(coupon) : <Products ids={product_ids} />}
      </Condition>
      <Condition name="必要な金額">{minimumWords(coupon)}</Condition>
      <Condition name="使える回数">
        {`おひとり${per_account}回（あと${remaining_uses}回）`}
      </Condition>
      <Condition name="組み合わせ">{combinationWords(coupon)}</Condition>
      <Condition name="クーポンコード">{coupon.code}</Condition>
    </dl>
  );
}

function Condition({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The products that a coupon is limited to, by name once they are loaded. */
function Products({ ids }: { ids: readonly number[] }) {
  const products = useQueries({
    queries: ids.map(productQuery),
    combine: (queries) => queries.flatMap(({ data }) => data ?? []),
  });
  if (products.length === 0) return <>対象の商品（{ids.length}点）</>;
  return (
    <ul>
      {products.map(({ id, name, course_id }) => (
        <li key={id}>
          {course_id === null ? name : <TextLink to={paths.course(course_id)}>{name}</TextLink>}
        </li>
      ))}
    </ul>
  );
}
