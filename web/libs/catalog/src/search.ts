/** The header's search dialog, loaded on demand. */
export { SearchDialog } from "./search/SearchDialog";
