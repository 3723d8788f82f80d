/** A step of the way from the front page to a page: what it is called, and its path. */
export interface Crumb {
  readonly label: string;
  readonly to: string;
}
