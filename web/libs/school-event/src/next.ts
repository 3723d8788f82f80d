/** The next event, for the home. */
export { NextSchoolEvent } from "./NextSchoolEvent";
