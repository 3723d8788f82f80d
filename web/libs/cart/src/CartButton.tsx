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
  /** Name of the product for the accessible name, where several buttons have the same text. */
  name?: string;
  /**
   * The inventory item of the course if the person can use the course already. Then there is
   * nothing to buy.
   */
  owned?: number | undefined;
  /** The course was bought before: the label says so. */
  again?: boolean;
  /** Compact size, for a button beside others. */
  compact?: boolean;
}

const full = "カートに入れられるのは20件までです。カートから出すと、入れられます。";

/**
 * Adds a course to the cart. Links to the cart when the course is in it, and to the course when it
 * is owned.
 */
export function CartButton({ owned, ...props }: CartButtonProps) {
  const { user } = useSession();
  if (user !== null && owned !== undefined) return <OwnedLink {...props} item={owned} />;
  // Staff have no courses and can't buy.
  return (user === null || canBuy(user)) && <AddOrOpen {...props} isVisitor={user === null} />;
}

type Buyable = Omit<CartButtonProps, "owned">;

/**
 * One element for visitors and accounts. A page shows the visitor's button until it knows the
 * session, and a button must not be replaced while it is pressed.
 */
function AddOrOpen({ product, name, again, compact, isVisitor }: Buyable & { isVisitor: boolean }) {
  const inBrowser = useVisitorCart().includes(product);
  const { data: cart } = useQuery({ ...cartQuery, enabled: !isVisitor });
  const { mutate, isPending } = useAdding(product);
  const inAccount = cart?.lines.some((line) => line.product.id === product);
  // The visitor's products join the account's cart when that cart is loaded.
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
      // Waits for a pending cart request: its late answer would overwrite the new cart.
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

/** Moves the focus to the link that replaces the pressed button. */
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
