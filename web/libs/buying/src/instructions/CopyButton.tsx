import { Button, showMessage, VisuallyHidden } from "@konomana/ui-base";
import { useState } from "react";

interface CopyButtonProps {
  /** The text to copy. */
  text: string;
  /** Name of the copied value, for the accessible name. */
  name: string;
}

/** Copies a number, so it need not be typed into another app. */
export function CopyButton({ text, name }: CopyButtonProps) {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      showMessage("コピーできませんでした。番号を長押しして、コピーしてください。");
    }
  };
  return (
    <Button variant="default" size="sm" onClick={() => void copy()}>
      <VisuallyHidden>{name}を</VisuallyHidden>
      <span aria-live="polite">{copied === text ? "コピーしました" : "コピー"}</span>
    </Button>
  );
}
