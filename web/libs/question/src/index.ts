/** Questions and their answer fields, for lessons, the free check and exams. */
export { AnswerAndKey } from "./AnswerAndKey";
export { AnswerFields } from "./AnswerFields";
export { answerForms, validatorOf } from "./answerForm";
export { type Answer, answerOf, givenOf, nothing, readDraft } from "./answer";
export { Figure } from "./Figure";
export { Prompt } from "./Prompt";
export type { Choice, Given, Picture, QuestionKind } from "./question";
export { RightOrWrong } from "./RightOrWrong";
export { type Lesson, TeachingLesson } from "./TeachingLesson";
export { TexText } from "./tex/TexText";
