/**
 * Support: notices, frequently asked questions, entrance exams, success stories and the contact
 * form.
 */
export { supportSource, type SupportSource } from "./data/supportSource";
export { screens } from "./supportScreens";
