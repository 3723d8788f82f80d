/**
 * A rendition in a multivariant playlist: its attributes, and its URI on the next line that is not
 * a tag.
 */
const RENDITION = /^#EXT-X-STREAM-INF:(.*)\n(?:#.*\n)*([^#\s].*)$/gm;

interface Rendition {
  /** URL of the media playlist. */
  readonly url: string;
  /** Height in lines. */
  readonly height: number;
  /** Whether the audio is in the same playlist. */
  readonly hasOwnSound: boolean;
}

/** The renditions in the text of a multivariant playlist with the URL `playlist`. */
export function renditionsIn(text: string, playlist: string): Rendition[] {
  return [...text.replaceAll("\r\n", "\n").matchAll(RENDITION)].map(
    ([, attributes = "", uri = ""]) => ({
      url: new URL(uri, new URL(playlist, document.baseURI)).href,
      height: Number(/RESOLUTION=\d+x(\d+)/.exec(attributes)?.[1]),
      hasOwnSound: !/(?:^|,)AUDIO=/.test(attributes),
    }),
  );
}

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
  const renditions = renditionsIn(await response.text(), playlist);
  return renditions.find((one) => one.height === height && one.hasOwnSound)?.url ?? playlist;
}
