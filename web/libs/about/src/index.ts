/**
 * Pages about the school: guides for each audience, programmes, legal texts, campaigns and bridges.
 */
export { screens } from "./aboutScreens";
