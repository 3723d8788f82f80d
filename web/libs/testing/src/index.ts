/** Fixtures shared by the tests of several libraries, typed by the API document. */
export { answerFrom, type Answers } from "./answerFrom";
export { done, json, problem } from "./answers";
export { inDays, inventoryOf, itemOf, lessonOf, lessons } from "./inventoryFixtures";
export { learner } from "./learner";
export { listOf } from "./listOf";
export { type ApiCall, stubServer } from "./stubServer";
