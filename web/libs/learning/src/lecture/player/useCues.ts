import { useEffect, useState } from "react";

/** A sentence that is spoken, from one second to another. */
export interface Cue {
  from: number;
  to: number;
  text: string;
}

/** The sentences of a captions track, once they are there. */
export function useCues(track: HTMLTrackElement | null): readonly Cue[] {
  const [cues, setCues] = useState<readonly Cue[]>([]);
  useEffect(() => {
    if (!track) return;
    const read = () => setCues(Array.from(track.track.cues ?? [], cueOf));
    if (track.readyState === HTMLTrackElement.LOADED) read();
    track.addEventListener("load", read);
    return () => track.removeEventListener("load", read);
  }, [track]);
  return cues;
}

function cueOf(cue: TextTrackCue): Cue {
  return { from: cue.startTime, to: cue.endTime, text: (cue as VTTCue).text };
}

/** Which part is on at a second, of parts in the order of the video; -1 before the first. */
export function indexAt(parts: readonly { readonly from: number }[], second: number): number {
  return parts.findLastIndex(({ from }) => from <= second);
}
