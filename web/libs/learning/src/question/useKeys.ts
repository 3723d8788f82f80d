import { isComposing } from "@konomana/browser";
import { useEffect } from "react";
import { isLetter } from "../lecture/player/shortcuts";
import { preferences } from "../lecture/player/preferences";

interface Keys {
  /** Called with the index of a choice, from 0. */
  onChoose?: ((index: number) => void) | undefined;
  onSend?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

/**
 * Keyboard shortcuts of a question: 1 to 9 choose, Enter sends, N goes on. In fields they are
 * letters, Enter on a button or link presses it, and keys with a modifier belong to the browser.
 * All but Enter can be switched off.
 */
export function useKeys({ onChoose, onSend, onNext }: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event) || event.repeat) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      if (isLetter(event) && !preferences().letterKeys) return;
      const key = event.key.normalize("NFKC").toLowerCase();
      const act = /^[1-9]$/.test(key)
        ? onChoose && (() => onChoose(Number(key) - 1))
        : { enter: isPressedBy(event.target) ? undefined : onSend, n: onNext }[key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [onChoose, onSend, onNext]);
}

/** Whether the target is a text field. */
function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
}

/** Whether Enter presses the target natively. */
function isPressedBy(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("button, a, summary, [role=button]") !== null
  );
}
