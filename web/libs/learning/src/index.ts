/** My page: the learner's courses, marks and progress, and the lesson player. */
export { screens } from "./learningScreens";
