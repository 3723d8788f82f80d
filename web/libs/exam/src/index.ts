/** Mock exams: the free check, the application, the sitting and the results. */
export { screens } from "./examScreens";
