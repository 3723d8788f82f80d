/** Questions to the teachers: asking, answers, and the shared questions of a lesson. */
export { screens } from "./teacherQuestionScreens";
