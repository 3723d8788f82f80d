/** Pictures that people send: made smaller on the device, and shown from content that needs a login. */
export { PictureView } from "./PictureView";
export { shrinkPhoto } from "./shrinkPhoto";
export { toBlob } from "./toBlob";
