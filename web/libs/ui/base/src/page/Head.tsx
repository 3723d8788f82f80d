const FRONT = "コノマナ｜中学生・高校生のオンライン学習";

interface HeadProps {
  /** The page's title, to which the site's name is added. Omitted on the front page. */
  title?: string;
  /** One or two sentences for search results. */
  description?: string;
}

/** The title and description of a screen. React moves the tags into the document's head. */
export function Head({ title, description }: HeadProps) {
  return (
    <>
      <title>{title === undefined ? FRONT : `${title}｜コノマナ`}</title>
      {description !== undefined && <meta name="description" content={description} />}
    </>
  );
}
