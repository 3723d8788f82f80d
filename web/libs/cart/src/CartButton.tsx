import { sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { Button, ButtonLink, showBlue, showMessage } from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import { cartApi } from "./api/cartApi";
import { cartQuery } from "./api/cartQuery";
import { canBuy } from "./canBuy";
import styles from "./cart.module.css";
import { visitorCart } from "./visitorCart";
import { useVisitorCart } from "./visitorCartStore";

interface CartButtonProps {
  product: number;
  /** What the product is called for those who hear it, where several buttons say the same. */
  name?: string;
  /** The inventory item of a course that the person can use already: there is nothing to buy then. */
  owned?: number | undefined;
  /** Says that the course was bought before. */
  again?: boolean;
  /** One of several beside others. */
  compact?: boolean;
}

/** Puts a course into the cart; leads to the cart once it is there, and to the course once it is bought. */
export function CartButton(props: CartButtonProps) {
  const { user } = useSession();
  if (user === null) return <VisitorButton {...props} />;
  if (props.owned !== undefined) return <OwnedLink {...props} item={props.owned} />;
  // Staff neither have courses nor buy them.
  return canBuy(user) && <AccountButton {...props} />;
}

const full = "カートに入れられるのは20件までです。カートから出すと、入れられます。";

function VisitorButton(props: CartButtonProps) {
  const { product, ...look } = props;
  const isIn = useVisitorCart().includes(product);
  const add = () => {
    if (visitorCart.add(product)) showBlue("カートに入れました。");
    else showMessage(full);
  };
  return <AddOrOpen {...look} isIn={isIn} busy={false} onAdd={add} />;
}

function AccountButton({ product, ...look }: CartButtonProps) {
  const queries = useQueryClient();
  const { data: cart, isPending } = useQuery(cartQuery);
  const adding = useMutation({
    mutationFn: () => cartApi.add(product, null),
    onSuccess: (newer) => {
      queries.setQueryData(cartQuery.queryKey, newer);
      showBlue("カートに入れました。");
    },
    onError: (error) => showMessage(`カートに入れられませんでした。${sentenceOf(error)}`),
  });
  const isIn = cart?.lines.some((line) => line.product.id === product) ?? false;
  return (
    <AddOrOpen
      {...look}
      isIn={isIn}
      busy={isPending || adding.isPending}
      onAdd={() => adding.mutate()}
    />
  );
}

interface AddOrOpenProps extends Omit<CartButtonProps, "product" | "owned"> {
  isIn: boolean;
  busy: boolean;
  onAdd: () => void;
}

function AddOrOpen({ name, again, compact, isIn, busy, onAdd }: AddOrOpenProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const pressed = useFocusAfterPress(isIn, link);
  const look = { pill: true, fullWidth: true, className: styles.action ?? "" };
  const size = compact ? "sm" : "md";
  const of = name === undefined ? "" : `（${name}）`;
  if (isIn)
    return (
      <ButtonLink
        {...look}
        ref={link}
        to={paths.cart()}
        variant="light"
        size={size}
        aria-label={`カートに入っています。カートを見る${of}`}
      >
        {compact ? "カートを見る" : "カートに入っています。カートを見る"}
      </ButtonLink>
    );
  const label = again ? "もう一度購入する（カートに入れる）" : "カートに入れる";
  return (
    <Button
      {...look}
      size={size}
      variant={compact ? "default" : "filled"}
      busy={busy}
      aria-label={`${label}${of}`}
      onClick={() => {
        pressed();
        onAdd();
      }}
    >
      {label}
    </Button>
  );
}

/** The pressed button becomes a link: the focus stays in its place. */
function useFocusAfterPress(isIn: boolean, link: RefObject<HTMLElement | null>): () => void {
  const wasPressed = useRef(false);
  useEffect(() => {
    if (isIn && wasPressed.current) link.current?.focus();
    wasPressed.current = false;
  }, [isIn, link]);
  return () => {
    wasPressed.current = true;
  };
}

function OwnedLink({ name, compact, item }: CartButtonProps & { item: number }) {
  return (
    <ButtonLink
      to={paths.ownedCourse(item)}
      pill
      fullWidth
      variant="light"
      size={compact ? "sm" : "md"}
      className={styles.action ?? ""}
      aria-label={`購入済み：学習する${name === undefined ? "" : `（${name}）`}`}
    >
      購入済み：学習する
    </ButtonLink>
  );
}
