/** The next interview, for the home. */
export { NextInterview } from "./NextInterview";
