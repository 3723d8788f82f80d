import { sharedStorage } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { type PushDevice, settings } from "../api";

const WORKER = "/push-worker.js";
/** The worker controls no other screen. */
const SCOPE = paths.settingsNotification();
/** The id of this browser on the server. Each account that takes the browser over gets a new id. */
const ID_KEY = "konomana.push-device";

/** Whether this browser can show notifications. On iOS only an app on the home screen can. */
export function canPush(): boolean {
  return (
    "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis
  );
}

/** Whether the person has forbidden notifications of this site. The browser then asks no more. */
export const isForbidden = () => Notification.permission === "denied";

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Sends the subscription to the server, and stores and returns the id of this browser there. */
async function store(subscription: PushSubscription): Promise<string> {
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  const { id } = await settings.savePushDevice({ endpoint: endpoint ?? "", p256dh, auth });
  sharedStorage.write(ID_KEY, id);
  return id;
}

/**
 * The id of this browser if it is subscribed for the owner of `devices`. Each visit sends its
 * subscription again, because browsers replace it without reliable notice. The id is then new.
 */
export async function findThisDevice(devices: readonly PushDevice[]): Promise<string | null> {
  if (!canPush() || Notification.permission !== "granted") return null;
  // Sending it would take the browser over from another person, which only a press does.
  const storedId = sharedStorage.read(ID_KEY);
  if (!devices.some(({ id }) => id === storedId)) return null;
  const subscription = await findSubscription();
  return subscription === null ? null : store(subscription);
}

/**
 * Asks for the permission and subscribes this browser. Returns its id; `null` if the person
 * declines.
 */
export async function subscribe(pushKey: string): Promise<string | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  // The screen is within the scope, so this is the worker above.
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: pushKey };
  try {
    return await store(await pushManager.subscribe(options));
  } catch (error) {
    // Subscribed with another key of the server.
    const old = await pushManager.getSubscription();
    if (!(error instanceof DOMException) || old === null) throw error;
    await old.unsubscribe();
    return store(await pushManager.subscribe(options));
  }
}

/** Ends the subscription of this browser. */
export async function unsubscribe(id: string): Promise<void> {
  await settings.deletePushDevice(id);
  sharedStorage.remove(ID_KEY);
  await (await findSubscription())?.unsubscribe();
}
