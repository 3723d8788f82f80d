/** The elements that layout components can render. */
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
