/** Says at once, before anything is built, whether the build has the content it needs. */
import { inWords, readSnapshot, run } from "./snapshot-file.ts";

await run(async () => {
  console.log(`snapshot: ${inWords(await readSnapshot())}`);
});
