import { paths } from "@konomana/paths";
import { PagedList, QueryBoundary, usePaged } from "@konomana/query";
import {
  Badge,
  ButtonLink,
  CoverLink,
  EmptyState,
  formatDateTime,
  formatYen,
  Group,
  Head,
  LoadingState,
  Note,
  Rows,
  Text,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { type ListedOrder, type OrderPage, ordersQuery, subscriptionsQuery } from "../api";
import { methodNames } from "../method/methods";
import { formatDiscount } from "../order/formatDiscount";
import { phaseNameOf } from "../order/orderPhase";
import { Subscriptions } from "../subscription/Subscriptions";

/** /mypage/history: the account's subscriptions and orders, newest first. */
export function OrdersScreen() {
  const paged = usePaged();
  const query = useQuery(ordersQuery(paged.page, paged.link));
  const monthly = useQuery(subscriptionsQuery);
  return (
    <>
      <Head title="ご注文履歴" />
      <Title order={1} size="h2" mb="lg">
        ご注文履歴
      </Title>
      <QueryBoundary query={monthly} loading={<LoadingState rows={4} height="5.5rem" />} part>
        {({ results }) => <Subscriptions list={results} />}
      </QueryBoundary>
      {!monthly.isPending && (
        <PagedList paged={paged} query={query} loading={<LoadingState rows={4} height="5.5rem" />}>
          {(list) => <Orders list={list} />}
        </PagedList>
      )}
    </>
  );
}

function Orders({ list }: { list: OrderPage }) {
  if (list.count === 0)
    return (
      <EmptyState
        title="まだご注文がありません"
        action={<ButtonLink to={paths.courses()}>講座をさがす</ButtonLink>}
      >
        講座を購入すると、ご注文の状態と領収書をここで確かめられます。
      </EmptyState>
    );
  return (
    <>
      <Text dimmed mb="md">
        全{list.count}件
      </Text>
      <Rows>
        {list.results.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </Rows>
    </>
  );
}

function OrderRow({ order }: { order: ListedOrder }) {
  const { id, number, lines, total, discount, placed_at, payment } = order;
  const { name, color } = phaseNameOf(order);
  return (
    <Group as="li" gap="0.25rem 1rem" justify="space-between">
      <div>
        <CoverLink to={paths.order(id)}>{contentsOf(lines)}</CoverLink>
        <Note>
          {formatDateTime(placed_at)}・{methodNames[payment.method]}
        </Note>
        <Note>注文番号 {number}</Note>
      </div>
      <Group gap="0.25rem 0.75rem">
        <div className="kn-push kn-end">
          <Text bold>{formatYen(total)}</Text>
          {discount > 0 && <Note>クーポン割引 {formatDiscount(discount)}</Note>}
        </div>
        <Badge color={color} variant={color === "gray" ? "outline" : "filled"} size="lg">
          {name}
        </Badge>
      </Group>
    </Group>
  );
}

/** The name of the first product and the number of the others. */
function contentsOf(lines: ListedOrder["lines"]): string {
  const others = lines.length - 1;
  return `${lines[0]?.name ?? ""}${others > 0 ? ` ほか${others}件` : ""}`;
}
