/** The catalogue: the front page, the list of courses, and one course. */
export { screens } from "./catalogScreens";
export { catalogueSource, type CatalogueSource } from "./data/catalogueSource";
