export { attachSource, playsNatively, preloadPlayer } from "./attach";
