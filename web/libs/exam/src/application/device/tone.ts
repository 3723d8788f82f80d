/** Frequency in hertz. It is clear on small loudspeakers. */
const PITCH = 880;

/** Length of a tone and of the pause after it, in seconds. */
const TONE = 0.25;
const PAUSE = 0.35;

/**
 * Plays `count` tones in a row. Resolves when the last one ends. Throws if the browser has no
 * sound.
 */
export async function playTones(count: number): Promise<void> {
  const context = new AudioContext();
  await context.resume();
  const volume = new GainNode(context, { gain: 0.3 });
  volume.connect(context.destination);
  const start = context.currentTime + 0.1;
  const tones = Array.from({ length: count }, (_, index) => {
    const tone = new OscillatorNode(context, { frequency: PITCH });
    tone.connect(volume);
    tone.start(start + index * (TONE + PAUSE));
    tone.stop(start + index * (TONE + PAUSE) + TONE);
    return tone;
  });
  await new Promise((over) => tones.at(-1)?.addEventListener("ended", over));
  await context.close();
}
