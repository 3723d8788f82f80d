/** The catalogue: the front page, the list of courses, and one course. */
export { routes } from "./routes";
export { catalogueSource, type CatalogueSource } from "./data/catalogueSource";
