import { fileURLToPath } from "node:url";

const site = new URL("../", import.meta.url);

/** The folders and files that the build scripts share, as absolute paths. */
export const places = {
  snapshot: fileURLToPath(new URL("content/snapshot.json", site)),
  client: fileURLToPath(new URL("dist/client", site)),
  screens: fileURLToPath(new URL("dist/screens.json", site)),
  console: fileURLToPath(new URL("../console/dist", site)),
  server: fileURLToPath(new URL("dist/server/entry.server.js", site)),
};
