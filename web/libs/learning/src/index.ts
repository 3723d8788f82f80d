/** My page: what a learner owns, has marked and goes on with. */
export { routes } from "./routes";
