/** Events of the school: the list, and one event with signing up and the waiting list. */
export { schoolEventScreens } from "./schoolEventScreens";
