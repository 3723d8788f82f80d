/**
 * Starts a prerendered page. Its scripts are fetched and run after the page is on the screen:
 * earlier they would compete with the content for network and CPU. Input and presses before
 * hydration are replayed after it.
 *
 * The page announces its scripts with links for no medium, so the browser does not fetch them
 * early.
 */
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

const isSwitch = ({ type }: Field) => type === "checkbox" || type === "radio";

/** The values of changed fields. For a checkbox or radio button, whether it is checked. */
const filled = new Map<Field, string | boolean>();
/** The last press or submission, and how to repeat it. */
let pressed: { readonly event: Event; readonly repeat: () => void } | null = null;

function keepFilled({ target }: Event): void {
  if (isField(target))
    filled.set(target, isSwitch(target) ? (target as HTMLInputElement).checked : target.value);
}

function keepPressed(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (button?.type === "button") pressed = { event, repeat: () => button.click() };
}

/** The browser would leave the page with the form's values. */
function keepSent(event: SubmitEvent): void {
  event.preventDefault();
  const { target: form, submitter } = event;
  if (form instanceof HTMLFormElement)
    pressed = { event, repeat: () => form.requestSubmit(submitter) };
}

/** Sets a field's value so that React sees a change, even if the field kept the value. */
function fill(field: Field, value: string | boolean): void {
  if (isSwitch(field)) {
    if ((field as HTMLInputElement).checked !== value) field.click();
    return;
  }
  if (field.type !== "file") {
    field.value = "";
    // React tracks the field's own setter, so this calls the prototype's.
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

/** From here on the page or the browser handles events. */
function letGo(): void {
  removeEventListener("input", keepFilled, true);
  removeEventListener("click", keepPressed, true);
  removeEventListener("submit", keepSent, true);
}

// The page is rendered and handles later events.
addEventListener(
  "hydrated",
  () => {
    letGo();
    // For a press React hydrates synchronously and then handles this same press.
    if (pressed?.event.eventPhase !== Event.NONE) pressed = null;
  },
  { once: true },
);

// The effects have run, which a press may depend on.
addEventListener(
  "alive",
  () => {
    for (const [field, value] of filled) fill(field, value);
    pressed?.repeat();
  },
  { once: true },
);

/** The app will not run: the browser submits forms, as without scripts. */
function giveUp(): void {
  letGo();
  // Pages with a form show what to do instead.
  document.documentElement.dataset["scripts"] = "failed";
}

// The app was loaded and failed to start, e.g. because a chunk is missing.
addEventListener("start-failed", giveUp, { once: true });

/** Settles at the first paint, or at once in a hidden tab. */
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
  // The browser processes a changed link only after it is inserted again.
  document.head.append(link);
}
const entry = document.querySelector<HTMLLinkElement>("link[data-entry]");
// Shared chunks come last in the page. Each is run separately, so a press does not wait for all of
// them. If one fails to load, the entry reports the error.
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
