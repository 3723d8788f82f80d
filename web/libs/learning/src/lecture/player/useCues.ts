import { useEffect, useState } from "react";

/** A caption with its start and end in seconds. */
export interface Cue {
  from: number;
  to: number;
  text: string;
}

/** The cues of a captions track; empty until they are loaded. */
export function useCues(track: HTMLTrackElement | null): readonly Cue[] {
  const [cues, setCues] = useState<readonly Cue[]>([]);
  useEffect(() => {
    if (!track) return;
    const readCues = () => setCues(Array.from(track.track.cues ?? [], cueOf));
    if (track.readyState === HTMLTrackElement.LOADED) readCues();
    track.addEventListener("load", readCues);
    return () => track.removeEventListener("load", readCues);
  }, [track]);
  return cues;
}

function cueOf(cue: TextTrackCue): Cue {
  return { from: cue.startTime, to: cue.endTime, text: (cue as VTTCue).text };
}

/** The index of the part that contains a second, of parts in order; -1 before the first. */
export function indexAt(parts: readonly { readonly from: number }[], second: number): number {
  return parts.findLastIndex(({ from }) => from <= second);
}
