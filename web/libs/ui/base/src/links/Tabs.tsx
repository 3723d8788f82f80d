import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import styles from "./Tabs.module.css";

export interface Tab {
  name: string;
  label: string;
  content: ReactNode;
}

interface TabsProps {
  /** Accessible name of the tab list. */
  label: string;
  tabs: readonly Tab[];
  open: string;
  onOpen: (name: string) => void;
}

/** Tabs, of which one panel is visible. The arrow keys move between tabs. */
export function Tabs({ label, tabs, open, onOpen }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = tabs.find(({ name }) => name === open) ?? tabs[0];
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ name }) => name === chosen?.name);
    const to = (at + step + tabs.length) % tabs.length;
    onOpen(tabs[to]?.name ?? "");
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={styles.tabs}>
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            className={styles.tab}
            aria-selected={name === chosen?.name}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen?.name ? 0 : -1}
            onClick={() => onOpen(name)}
            onKeyDown={move}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        className={styles.panel}
        aria-labelledby={`${id}-${chosen?.name}`}
      >
        {chosen?.content}
      </div>
    </>
  );
}
