/** Checks before the build that the content snapshot exists, and prints its counts. */
import { inWords, readSnapshot, run } from "./snapshot-file.ts";

await run(async () => {
  console.log(`snapshot: ${inWords(await readSnapshot())}`);
});
