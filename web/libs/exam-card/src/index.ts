/** Mock exams on offer: dates, price, seats, and the application. */
export { applicationKeys, examKeys } from "./api/examKeys";
export type * from "./api/examCardTypes";
export { applicationsQuery, takeSeat } from "./api/examApplications";
export { loadChecks, loadExams } from "./api/publicExams";
export { examSource, type ExamSource } from "./data/examSource";
export { ExamAction } from "./ExamAction";
export { ExamFacts } from "./ExamFacts";
export { Fact } from "./Fact";
export { formatDeadline, formatPeriod } from "./data/times";
export { MyExams } from "./MyExams";
export { UpcomingExams } from "./UpcomingExams";
export { useResultsBy } from "./data/useResultsBy";
export { useExamPhase } from "./data/useExamPhase";
export { stageNames } from "./data/stageNames";
