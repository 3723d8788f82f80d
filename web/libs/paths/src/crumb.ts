/** A breadcrumb: the label and path of one page between the front page and the current page. */
export interface Crumb {
  readonly label: string;
  readonly to: string;
}
