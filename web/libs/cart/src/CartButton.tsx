import { sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { Button, ButtonLink, showBlue, showMessage } from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import { cartApi } from "./api/cartApi";
import { cartQuery } from "./api/cartQuery";
import { canBuy } from "./canBuy";
import { visitorCart } from "./visitorCart";
import { useVisitorCart } from "./visitorCartStore";

interface CartButtonProps {
  product: number;
  /** Name of the product in the accessible name, where several buttons have the same text. */
  name?: string;
  /** The inventory item of a course that the person can use already: there is nothing to buy then. */
  owned?: number | undefined;
  /** Says that the course was bought before. */
  again?: boolean;
  /** One of several beside others. */
  compact?: boolean;
}

const full = "カートに入れられるのは20件までです。カートから出すと、入れられます。";

/** Puts a course into the cart; leads to the cart once it is there, and to the course once it is bought. */
export function CartButton({ owned, ...props }: CartButtonProps) {
  const { user } = useSession();
  if (user !== null && owned !== undefined) return <OwnedLink {...props} item={owned} />;
  // Staff neither have courses nor buy them.
  return (user === null || canBuy(user)) && <AddOrOpen {...props} isVisitor={user === null} />;
}

type Buyable = Omit<CartButtonProps, "owned">;

/**
 * One element for a visitor and for an account: a page shows a visitor until it knows who is there, and what was pressed
 * by then must not be replaced under the finger.
 */
function AddOrOpen({ product, name, again, compact, isVisitor }: Buyable & { isVisitor: boolean }) {
  const inBrowser = useVisitorCart().includes(product);
  const { data: cart } = useQuery({ ...cartQuery, enabled: !isVisitor });
  const { mutate, isPending } = useAdding(product);
  const inAccount = cart?.lines.some((line) => line.product.id === product);
  // What a visitor chose joins the account's cart as soon as that is asked for.
  const isIn = isVisitor ? inBrowser : (inAccount ?? inBrowser);
  const link = useRef<HTMLAnchorElement>(null);
  const pressed = useFocusAfterPress(isIn, link);
  const look = { pill: true, fullWidth: true, className: "kn-above" };
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
      busy={isPending}
      aria-label={`${label}${of}`}
      onClick={() => {
        pressed();
        if (isVisitor) addToBrowser(product);
        else mutate();
      }}
    >
      {label}
    </Button>
  );
}

function addToBrowser(product: number): void {
  if (visitorCart.add(product)) showBlue("カートに入れました。");
  else showMessage(full);
}

/** Puts a product into the cart of the account. */
function useAdding(product: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      // An answer that is still on its way would show the cart as it was before.
      await queries.ensureQueryData(cartQuery).catch(() => {});
      return cartApi.add(product, null);
    },
    onSuccess: (newer) => {
      queries.setQueryData(cartQuery.queryKey, newer);
      showBlue("カートに入れました。");
    },
    onError: (error) => showMessage(`カートに入れられませんでした。${sentenceOf(error)}`),
  });
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

function OwnedLink({ name, compact, item }: Buyable & { item: number }) {
  return (
    <ButtonLink
      to={paths.ownedCourse(item)}
      pill
      fullWidth
      variant="light"
      size={compact ? "sm" : "md"}
      className="kn-above"
      aria-label={`購入済み：学習する${name === undefined ? "" : `（${name}）`}`}
    >
      購入済み：学習する
    </ButtonLink>
  );
}
