/**
 * Starts to load hls.js in the page of a screen that shows a video at once. The player needs it
 * later than the page's other scripts, but it is the largest file and loads while these run.
 *
 * The page announces it with a link for no medium, because browsers of Apple play videos natively.
 */
const isApple = "WebKitPlaybackTargetAvailabilityEvent" in globalThis;
const link = document.querySelector<HTMLLinkElement>("link[data-hls]");
if (link !== null && !isApple) {
  link.removeAttribute("media");
  // The browser processes a changed link only after it is inserted again.
  document.head.append(link);
}
