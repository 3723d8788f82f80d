/** Mock exams: the free check, the application step by step, and the sitting. */
export { screens } from "./examScreens";
