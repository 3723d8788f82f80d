/** Fixtures shared by the tests of several libraries, typed by the API document. */
export { done, json, problem } from "./answers";
export { learner } from "./learner";
export { type ApiCall, stubServer } from "./stubServer";
