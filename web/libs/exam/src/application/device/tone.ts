/** In hertz: clear on small loudspeakers. */
const PITCH = 880;

/** How long a tone and the pause after it last, in seconds. */
const TONE = 0.25;
const PAUSE = 0.35;

/** Plays some tones in a row; resolves when they are over. Throws where the browser has no sound. */
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
