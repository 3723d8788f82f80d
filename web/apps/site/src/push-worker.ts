/**
 * The service worker of notifications (Web Push). It shows what the server sends, also while the site is closed, and opens
 * the page of a notification that is pressed. It handles no requests.
 */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null;
}

interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification;
}

interface Client {
  readonly url: string;
  focus(): Promise<Client>;
}

interface Worker {
  readonly location: Location;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly Client[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "push", listener: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: NotificationEvent) => void): void;
}

/** The page of a notification without one. */
const DEFAULT_PATH = "/mypage";

const worker = globalThis as unknown as Worker;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

// Browsers require that each push shows a notification, so an unreadable one shows a general text.
worker.addEventListener("push", (event) => {
  const { id, text, path } = parseMessage(event.data);
  const options: NotificationOptions = {
    body: text,
    lang: "ja",
    icon: "/favicon.svg",
    // A repeated push replaces the notification instead of adding one.
    ...(id !== "" && { tag: id }),
    data: path,
  };
  event.waitUntil(worker.registration.showNotification("コノマナ", options));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    openPage(new URL(toSitePath(event.notification.data), worker.location.origin).href),
  );
});

/** Shows the page in the window that has it, or in a new one. */
async function openPage(url: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((one) => one.url.split("#")[0] === url.split("#")[0]);
  if (shown !== undefined) await shown.focus();
  else await worker.clients.openWindow(url);
}

/** The message of the server. */
function parseMessage(data: PushEvent["data"]): { id: string; text: string; path: string } {
  let message: unknown;
  try {
    message = data?.json();
  } catch {
    message = null;
  }
  const { id, text, path } = (message ?? {}) as Record<string, unknown>;
  return {
    id: typeof id === "string" ? id : "",
    text: typeof text === "string" && text !== "" ? text : "新しいお知らせがあります。",
    path: toSitePath(path),
  };
}

/** A path of this site. */
function toSitePath(path: unknown): string {
  return typeof path === "string" && /^\/(?![/\\])/.test(path) ? path : DEFAULT_PATH;
}
