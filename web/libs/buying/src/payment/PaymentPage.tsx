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
  /** The heading until the order is loaded. */
  title: string;
  /** Shown if the address has no order. */
  noOrder: Face;
  /**
   * The content for an unpaid order. Orders in other phases look the same on all payment screens.
   */
  awaiting: (order: Order) => Face;
}

/**
 * The shared part of the payment screens: the polled order of the address, or why there is none.
 */
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

/** One page for every face, so a change of the face is announced and the rest stays in place. */
function FacePage({ face, error = null }: { face: Face; error?: Error | null }) {
  return (
    <Page title={face.title} lead={<span role="status">{face.lead}</span>} narrow>
      <OutOfReach error={error} />
      {face.content}
    </Page>
  );
}
