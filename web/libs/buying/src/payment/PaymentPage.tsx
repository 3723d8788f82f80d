import { ApiError } from "@konomana/http";
import { QueryBoundary } from "@konomana/query";
import { LoadingState, NotFoundContent, Page } from "@konomana/ui-base";
import { useSearchParams } from "react-router";
import type { Order } from "../api";
import { orderIn } from "../order/orderIn";
import { OutOfReach } from "../order/OutOfReach";
import { useOrder } from "../order/useOrder";
import { type Face, faceOf } from "./faces";

interface PaymentPageProps {
  /** The heading until the order is there. */
  title: string;
  /** What is said where the address names no order. */
  noOrder: Face;
  /** What is said of an order that awaits its payment. Every other one has one face on all screens. */
  awaiting: (order: Order) => Face;
}

/** What the payment screens share: the order that the address names, kept up to date, or why there is none. */
export function PaymentPage({ title, noOrder, awaiting }: PaymentPageProps) {
  const id = orderIn(useSearchParams()[0]);
  if (id === null) return <FacePage face={noOrder} />;
  return <OrderPage key={id} id={id} title={title} awaiting={awaiting} />;
}

interface OrderPageProps extends Pick<PaymentPageProps, "title" | "awaiting"> {
  id: string;
}

function OrderPage({ id, title, awaiting }: OrderPageProps) {
  const query = useOrder(id, { check: true });
  const { data: order, error } = query;
  if (order !== undefined) return <FacePage face={faceOf(order, awaiting)} error={error} />;
  if (error instanceof ApiError && error.status === 404) return <NotFoundContent />;
  return (
    <Page title={title} narrow>
      <OutOfReach error={error} />
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="9rem" />}>
        {() => null}
      </QueryBoundary>
    </Page>
  );
}

/** One page for every face, so that a change of face is read out and the rest stays where it is. */
function FacePage({ face, error = null }: { face: Face; error?: Error | null }) {
  return (
    <Page title={face.title} lead={<span role="status">{face.lead}</span>} narrow>
      <OutOfReach error={error} />
      {face.content}
    </Page>
  );
}
