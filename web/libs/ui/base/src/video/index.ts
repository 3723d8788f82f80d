export { attach, plays } from "./attach";
