import { createStore, sharedStorage, useStore } from "@konomana/browser";
import { useLayoutEffect } from "react";
import styles from "./readingAids.module.css";

const KEY = "konomana.exam-reading";

/** Text sizes, in percent of the browser's setting. */
export const textSizes = [100, 125, 150] as const;

interface Aids {
  size: (typeof textSizes)[number];
  contrast: boolean;
}

const usual: Aids = { size: 100, contrast: false };

/** The reading settings for exams, stored on the device. */
export const readingAids = createStore<Aids>(usual, () => {
  const stored = sharedStorage.readJson(KEY) as Partial<Aids> | null;
  const size = textSizes.find((one) => one === stored?.size) ?? usual.size;
  return { size, contrast: stored?.contrast === true };
});

export function setReadingAids(parts: Partial<Aids>): void {
  const aids = { ...readingAids.get(), ...parts };
  readingAids.set(aids);
  sharedStorage.writeJson(KEY, aids);
}

/** Applies the reading settings to the whole page while the screen is open. */
export function useReadingAids(): void {
  const { size, contrast } = useStore(readingAids);
  useLayoutEffect(() => {
    const root = document.documentElement;
    const name = styles["contrast"] ?? "";
    root.style.fontSize = size === 100 ? "" : `${size}%`;
    root.classList.toggle(name, contrast);
    return () => {
      root.style.fontSize = "";
      root.classList.remove(name);
    };
  }, [size, contrast]);
}
