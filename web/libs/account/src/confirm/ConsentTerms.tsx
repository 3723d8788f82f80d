import { entry, type Product } from "../api";
import { paths, seller } from "@konomana/paths";
import { formatPrice, formatYen, Note, Stack } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { NewTabLink } from "../parts/NewTabLink";

/**
 * The facts that a guardian consents to: the seller, the products and their prices, the terms, and
 * how to withdraw.
 */
export function ConsentTerms() {
  const { data } = useQuery({
    queryKey: ["products"],
    queryFn: ({ signal }) => entry.products(signal),
  });
  return (
    <Stack as="dl" gap="sm">
      <Term name="運営">
        {seller.name}（{seller.fiction}）
      </Term>
      <Term name="購入できるものと料金">
        {pricesOf(data?.results ?? []).map((line) => (
          <div key={line}>{line}</div>
        ))}
        金額と使える期間は、講座のページに表示しています。
      </Term>
      <Term name="きまりごと（新しいタブで読む）">
        <NewTabLink to={paths.eula()}>利用規約</NewTabLink>{" "}
        <NewTabLink to={paths.privacy()}>プライバシーポリシー</NewTabLink>{" "}
        <NewTabLink to={paths.commerce()}>特定商取引法に基づく表記</NewTabLink>
      </Term>
      <Term name="取り消し">
        いつでも取り消せます。同意のあとにお送りする控えのメールのボタンから、手続きできます。
      </Term>
    </Stack>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Note as="dt">{name}</Note>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * The products on sale with prices: one price range for the courses, one entry for each other
 * product.
 */
function pricesOf(products: readonly Product[]): string[] {
  const courses = products.filter(({ kind }) => kind === "course").map(({ price }) => price);
  const others = products.filter(({ kind }) => kind !== "course");
  return [
    ...(courses.length === 0 ? [] : [`講座（1つずつの買い切り）：${rangeOf(courses)}`]),
    ...others.map(({ kind, name, price }) =>
      kind === "subscription"
        ? `${name}：月${formatPrice(price)}`
        : `${name}：${formatPrice(price)}`,
    ),
  ];
}

function rangeOf(prices: readonly number[]): string {
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  return least === most ? formatPrice(least) : `${formatYen(least)}から${formatPrice(most)}`;
}
