/** The pictures of courses and the colours of their subjects, for every screen that shows a course. */
export { CourseArt } from "./CourseArt";
export { schoolYears, type Subject, subjectColors, subjectOf, subjects } from "./subjects";
