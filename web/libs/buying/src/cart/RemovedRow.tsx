import { cartApi, type CartLine } from "@konomana/cart";
import { Button, Text } from "@konomana/ui-base";
import { useEffect, useRef } from "react";
import { useCartChange } from "./useCartChange";

interface RemovedRowProps {
  line: CartLine;
  onRestored: () => void;
}

/** Replaces a removed line until the cart is left. Its button undoes the removal. */
export function RemovedRow({ line, onRestored }: RemovedRowProps) {
  const undo = useRef<HTMLButtonElement>(null);
  const restoring = useCartChange(async () => {
    const cart = await cartApi.add(line.product.id, line.learner.id);
    onRestored();
    return cart;
  }, `「${line.product.name}」をカートに戻せませんでした。`);
  // The pressed button was removed, so the undo button takes the focus.
  useEffect(() => undo.current?.focus(), []);
  return (
    <li className="kn-row kn-roomy">
      <Text dimmed className="kn-grow">
        「{line.product.name}」をカートから出しました。
      </Text>
      <Button
        ref={undo}
        variant="default"
        size="sm"
        busy={restoring.isPending}
        aria-label={`元に戻す（${line.product.name}）`}
        onClick={() => restoring.mutate()}
      >
        元に戻す
      </Button>
    </li>
  );
}
