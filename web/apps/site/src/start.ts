/**
 * Begins a page that the server sent whole. Its scripts are fetched and run once it is on the screen: until then they
 * would take the line and the processor from what a person came to see. What that person does meanwhile is done again
 * when the page has come to life.
 *
 * The page announces its scripts for no medium, so that the browser leaves them alone.
 */
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

const isSwitch = ({ type }: Field) => type === "checkbox" || type === "radio";

/** What each field holds that was filled in: a switch, whether it is on. */
const filled = new Map<Field, string | boolean>();
/** What was pressed last, or sent, and what does it again. */
let pressed: { readonly event: Event; readonly repeat: () => void } | null = null;

function keepFilled({ target }: Event): void {
  if (isField(target))
    filled.set(target, isSwitch(target) ? (target as HTMLInputElement).checked : target.value);
}

function keepPressed(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (button?.type === "button") pressed = { event, repeat: () => button.click() };
}

/** The browser would leave the page with what was written. */
function keepSent(event: SubmitEvent): void {
  event.preventDefault();
  const { target: form, submitter } = event;
  if (form instanceof HTMLFormElement)
    pressed = { event, repeat: () => form.requestSubmit(submitter) };
}

/** Puts a value into a field so that React hears of it, also where the field kept it. */
function fill(field: Field, value: string | boolean): void {
  if (isSwitch(field)) {
    if ((field as HTMLInputElement).checked !== value) field.click();
    return;
  }
  if (field.type !== "file") {
    field.value = "";
    // React watches the setter of the field itself, and is to see a change.
    const { set } =
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, "value") ?? {};
    set?.call(field, value);
  }
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

addEventListener("input", keepFilled, true);
addEventListener("click", keepPressed, true);
addEventListener("submit", keepSent, true);

/** From here on the page itself handles events, or the browser does. */
function letGo(): void {
  removeEventListener("input", keepFilled, true);
  removeEventListener("click", keepPressed, true);
  removeEventListener("submit", keepSent, true);
}

// The page is drawn and hears what comes from now on.
addEventListener(
  "hydrated",
  () => {
    letGo();
    // For a press React draws the page at once, and then hears this very press.
    if (pressed?.event.eventPhase !== Event.NONE) pressed = null;
  },
  { once: true },
);

// Its effects have run, which a press may need.
addEventListener(
  "alive",
  () => {
    for (const [field, value] of filled) fill(field, value);
    pressed?.repeat();
  },
  { once: true },
);

/** The app will not run: the browser sends forms, as it does without scripts. */
function giveUp(): void {
  letGo();
  // Pages with a form say what to do instead.
  document.documentElement.dataset["scripts"] = "failed";
}

// The app was loaded and could not start, e.g. because a part is missing.
addEventListener("start-failed", giveUp, { once: true });

/** Settles when something of the page is on the screen; at once where nobody looks. */
const painted = new Promise<void>((resolve) => {
  if (document.visibilityState === "hidden") resolve();
  new PerformanceObserver(() => resolve()).observe({ type: "paint", buffered: true });
});

await painted;
const announced = [
  ...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"][media]'),
];
for (const link of announced) {
  link.removeAttribute("media");
  // The browser looks at a link anew only when it is put into the page.
  document.head.append(link);
}
const entry = document.querySelector<HTMLLinkElement>("link[data-entry]");
// What the others stand on comes last in the page. Each is run by itself, so that a press is not kept waiting by all;
// what can't be had is missed by the entry, which knows what to do.
for (const link of announced.toReversed().filter((part) => part !== entry)) {
  await import(/* @vite-ignore */ link.href).catch(() => {});
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
}
try {
  if (entry !== null) await import(/* @vite-ignore */ entry.href);
} catch (error) {
  giveUp();
  throw error;
}
