/** The API calls and queries of the settings. */
export * from "./queries";
export { settings } from "./settings";
export type * from "./settingsTypes";
