/** The elements that the parts of a layout may be. */
export type BlockTag =
  | "div"
  | "section"
  | "article"
  | "aside"
  | "nav"
  | "header"
  | "ul"
  | "ol"
  | "li"
  | "dl"
  | "p"
  | "span"
  | "figure"
  | "blockquote"
  | "details";
