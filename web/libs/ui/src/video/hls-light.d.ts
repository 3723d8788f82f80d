/** The library's smaller build, without captions and second sounds; it brings no types of its own. */
declare module "hls.js/light" {
  export { default } from "hls.js";
}
