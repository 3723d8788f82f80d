import { type Product, productQuery, useVisitorCart, visitorCart } from "@konomana/cart";
import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { rememberPath } from "@konomana/session";
import {
  Button,
  ButtonLink,
  formatPrice,
  Group,
  Lines,
  Note,
  Panel,
  showBlue,
  Skeleton,
  Stack,
  Text,
  TextLink,
} from "@konomana/ui-base";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { EmptyCart } from "./EmptyCart";
import { periodOf, pricePerMonth, saleEndOf } from "./period";

/** The visitor's cart in this browser. */
export function VisitorCart() {
  const products = useVisitorCart();
  const list = useRef<HTMLUListElement>(null);
  const [removed, setRemoved] = useState<number | null>(null);
  if (products.length === 0 && removed === null) return <EmptyCart />;
  const remove = (product: number) => {
    visitorCart.forget([product]);
    setRemoved(product);
    showBlue("カートから出しました。");
    list.current?.focus();
  };
  const undo = () => {
    if (removed !== null) visitorCart.add(removed);
    setRemoved(null);
    list.current?.focus();
  };
  return (
    <div className="kn-columns">
      <Panel>
        <Lines ref={list} tabIndex={-1} aria-label="カートの中の講座">
          {products.map((product) => (
            <VisitorRow key={product} product={product} onRemove={() => remove(product)} />
          ))}
          {removed !== null && (
            <li className="kn-row kn-roomy">
              <Text dimmed className="kn-grow">
                1件をカートから出しました。
              </Text>
              <Button variant="default" size="sm" onClick={undo}>
                元に戻す
              </Button>
            </li>
          )}
        </Lines>
      </Panel>
      <VisitorSummary products={products} />
    </div>
  );
}

function VisitorRow({ product: id, onRemove }: { product: number; onRemove: () => void }) {
  const query = useQuery(productQuery(id));
  const { data, error } = query;
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <li className="kn-row kn-roomy" aria-busy={query.isPending}>
      <div className="kn-grow">
        {isGone ? (
          <Text>この商品は見つかりませんでした。</Text>
        ) : (
          <QueryBoundary part query={query} loading={<Skeleton height="5rem" />}>
            {(product) => <ProductFacts product={product} />}
          </QueryBoundary>
        )}
      </div>
      <Group justify="flex-end" className="kn-push">
        {data !== undefined && <Text bold>{pricePerMonth(data)}</Text>}
        <Button
          variant="default"
          size="sm"
          aria-label={`削除（${data?.name ?? `商品${id}`}）`}
          onClick={onRemove}
        >
          削除
        </Button>
      </Group>
    </li>
  );
}

function ProductFacts({ product }: { product: Product }) {
  const { name, course_id, is_on_sale, kind, places_left } = product;
  return (
    <Stack gap="xxs">
      {course_id === null ? (
        <Text bold>{name}</Text>
      ) : (
        <TextLink strong to={paths.course(course_id)}>
          {name}
        </TextLink>
      )}
      {periodOf(product) !== "" && <Note>{periodOf(product)}</Note>}
      {saleEndOf(product) !== "" && <Note>{saleEndOf(product)}</Note>}
      {!is_on_sale && (
        <Text size="sm" accent bold>
          いまは販売していません。
        </Text>
      )}
      {places_left === 0 && (
        <Text size="sm" accent bold>
          定員に達したため、いまはお申し込みできません。
        </Text>
      )}
      {!isOffered(kind) && (
        <Text size="sm" accent bold>
          この商品は、まだ購入できません。カートから出してください。
        </Text>
      )}
    </Stack>
  );
}

/** Whether a product of this kind can be bought in the cart. */
function isOffered(kind: Product["kind"]): boolean {
  return kind === "course" || kind === "subscription" || kind === "exam_seat";
}

const comeBack = () => rememberPath(paths.cart());

/** The sum of the priced products on sale, and a link to the login that returns here. */
function VisitorSummary({ products }: { products: readonly number[] }) {
  const known = useQueries({
    queries: products.map(productQuery),
    combine: (queries) => queries.flatMap(({ data }) => (data === undefined ? [] : [data])),
  });
  const buyable = known.filter(
    ({ is_on_sale, kind, places_left }) => is_on_sale && isOffered(kind) && places_left !== 0,
  );
  const total = buyable.reduce((sum, { price }) => sum + price, 0);
  return (
    <Panel as="section" gap="sm" className="kn-sticky" aria-label="合計">
      <div role="status">
        <Text>合計（{buyable.length}点）</Text>
        <p className="kn-figure">{formatPrice(total)}</p>
      </div>
      <ButtonLink to={paths.login()} size="lg" fullWidth onClick={comeBack}>
        ログインして購入手続きへ
      </ButtonLink>
      <ButtonLink to={paths.signup()} variant="default" fullWidth onClick={comeBack}>
        はじめての方は新規登録
      </ButtonLink>
      <Note>カートの中身は、ログインのあとも残ります。</Note>
    </Panel>
  );
}
