/** My page: what a learner owns, has marked and goes on with. */
export { screens } from "./learningScreens";
