export { attachSource, playsNatively, preloadPlayer, preloadPlaylists } from "./attach";
