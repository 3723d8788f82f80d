/** Settings: what people keep, change and end about their own account. */
export { screens } from "./settingsScreens";
