/** A step of the way from the front page to a page: what it is called, and its path. */
export interface Crumb {
  readonly label: string;
  readonly to: string;
}

/** What a screen's route says of itself in its `handle`; `Data` is what its loader gives. */
export interface ScreenHandle<Data = unknown> {
  /** The screen's source file from the workspace's root: a prerendered page announces what it loads. */
  readonly module: string;
  /** The screen reads the query, so that one file can't show it for every address. */
  readonly readsQuery?: boolean;
  /** When what the page shows was last changed (RFC 3339, or a day); left out where nobody knows. */
  readonly modified?: (data: Data) => string | undefined;
  /** The way to the page below the front page, the page itself last. */
  readonly crumbs?: (data: Data) => readonly Crumb[];
  /**
   * What the page tells search engines in JSON-LD. The prerender alone writes it; `absolute` makes whole
   * addresses of paths.
   */
  readonly structured?: (data: Data, absolute: (path: string) => string) => readonly object[];
}
