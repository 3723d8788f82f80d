/** The search that the header opens; loaded when somebody reaches for it. */
export { SearchDialog } from "./search/SearchDialog";
