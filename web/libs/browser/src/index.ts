/** Browser features that may be unavailable: storage, files, observable stores, locks and an outbox. */
export { type CalendarEvent, calendarFile, calendarFileOf } from "./calendarFile";
export { isComposing } from "./isComposing";
export { withLock } from "./lock";
export { type Delivery, Outbox } from "./outbox";
export { canHavePasskeys } from "./passkeys";
export { type SafeStorage, sharedStorage, tabStorage } from "./storage";
export { saveFile } from "./saveFile";
export { createStore, type Store, useStore } from "./store";
export { useBrowserValue } from "./useBrowserValue";
