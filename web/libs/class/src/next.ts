/** The next live lesson, for the home. */
export { NextLiveLesson } from "./NextLiveLesson";
