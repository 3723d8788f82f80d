/** Settings: the screens where people manage and close their own account. */
export { screens } from "./settingsScreens";
