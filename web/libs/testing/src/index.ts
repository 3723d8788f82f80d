/** What tests of several libraries stand on. The API's document types it: a renamed field does not compile. */
export { done, json, problem } from "./answers";
export { learner } from "./learner";
export { type ApiCall, stubServer } from "./stubServer";
