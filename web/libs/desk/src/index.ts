/** The desk: what the school tells everybody, answers to what is often asked, and the way to write to it. */
export { deskSource, type DeskSource } from "./data/deskSource";
export { screens } from "./deskScreens";
