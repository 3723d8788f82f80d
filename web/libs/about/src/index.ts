/** What the school says of itself: for whom it is, its programmes, its terms, campaigns, the bridges. */
export { screens } from "./aboutScreens";
