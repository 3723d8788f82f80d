/** Says at once, before anything is built, whether the build has the content it needs. */
import { readSnapshot, run } from "./snapshot-file.ts";

await run(async () => {
  const { catalogue } = await readSnapshot();
  console.log(`snapshot: ${catalogue.courses.length} courses`);
});
