/** Classes: the timetable of live lessons, attendance, recordings and homework. */
export { screens } from "./classScreens";
