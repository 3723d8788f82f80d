/**
 * The service worker of notifications (Web Push). It shows what the server sends, also while the site is closed, and opens
 * the page of a notification that is pressed. It handles no requests.
 */
interface Work extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Pushed extends Work {
  readonly data: { json(): unknown } | null;
}

interface Pressed extends Work {
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
  addEventListener(type: "install", listener: (event: Work) => void): void;
  addEventListener(type: "push", listener: (event: Pushed) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Pressed) => void): void;
}

/** The page of a notification without one. */
const OWN_PAGE = "/mypage";

const worker = globalThis as unknown as Worker;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

// Browsers require that each push shows a notification, so an unreadable one shows a general text.
worker.addEventListener("push", (event) => {
  const { id, text, path } = read(event.data);
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
  event.waitUntil(open(new URL(pathIn(event.notification.data), worker.location.origin).href));
});

/** Shows the page in the window that has it, or in a new one. */
async function open(url: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((one) => one.url.split("#")[0] === url.split("#")[0]);
  if (shown !== undefined) await shown.focus();
  else await worker.clients.openWindow(url);
}

/** The message of the server. */
function read(data: Pushed["data"]): { id: string; text: string; path: string } {
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
    path: pathIn(path),
  };
}

/** A path of this site. */
function pathIn(path: unknown): string {
  return typeof path === "string" && /^\/(?![/\\])/.test(path) ? path : OWN_PAGE;
}
