/** Pictures of courses and teachers, and the colours of subjects. */
export { CourseArt } from "./CourseArt";
export { Portrait } from "./Portrait";
export { schoolYears, type Subject, subjectColors, subjectOf, subjects } from "./subjects";
