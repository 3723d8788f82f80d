/** Interviews with teachers: booking, changing, cancelling and joining. */
export { screens } from "./interviewScreens";
