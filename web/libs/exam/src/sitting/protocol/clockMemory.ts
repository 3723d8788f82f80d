import { sharedStorage } from "@konomana/browser";
import type { ClockMemory } from "./ServerClock";

const KEY = "konomana.exam-clock";

/** The stored offset of the server's clock, for a page that opens without the server. */
export const clockMemory: ClockMemory & { forget: () => void } = {
  read: () => {
    const ahead = Number(sharedStorage.read(KEY) ?? 0);
    return Number.isFinite(ahead) ? ahead : 0;
  },
  write: (ahead) => void sharedStorage.write(KEY, String(Math.round(ahead))),
  forget: () => sharedStorage.remove(KEY),
};
