/** The pictures of courses and teachers and the colours of subjects, for every screen that shows them. */
export { CourseArt } from "./CourseArt";
export { Portrait } from "./Portrait";
export { schoolYears, type Subject, subjectColors, subjectOf, subjects } from "./subjects";
