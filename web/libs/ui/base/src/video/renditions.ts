/**
 * A rendition in a multivariant playlist: its attributes, and its URI on the next line that is not
 * a tag.
 */
const RENDITION = /^#EXT-X-STREAM-INF:(.*)\n(?:#.*\n)*([^#\s].*)$/gm;

/**
 * Finds the media playlist of a rendition with a height of `height` lines. Returns the multivariant
 * playlist itself if there is none, or if the rendition has its audio in a separate playlist.
 */
export async function findRendition(
  playlist: string,
  height: number,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(playlist, { signal });
  const text = (await response.text()).replaceAll("\r\n", "\n");
  for (const [, attributes = "", uri = ""] of text.matchAll(RENDITION)) {
    const lines = /RESOLUTION=\d+x(\d+)/.exec(attributes)?.[1];
    const hasOwnSound = !/(?:^|,)AUDIO=/.test(attributes);
    if (Number(lines) === height && hasOwnSound)
      return new URL(uri, new URL(playlist, document.baseURI)).href;
  }
  return playlist;
}
