/** What the school tells everybody, answers to what is often asked, and the way to write to it. */
export { supportSource, type SupportSource } from "./data/supportSource";
export { screens } from "./supportScreens";
