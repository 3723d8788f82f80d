import { call } from "@konomana/http";
import type { SaveRequest } from "./sittingTypes";

/** The API calls of a sitting. Failures are `ApiError`s. */
export const sittingApi = {
  /** Starts the sitting of a paper, or resumes it on the same device. */
  start: (paper: number, device_id: string, device_time: string) =>
    call("POST", "/api/exam/paper/{id}/sitting/", {
      params: { id: paper },
      body: { device_id, device_time },
    }),

  find: (id: string, device_id: string) =>
    call("GET", "/api/exam/sitting/{id}/", { params: { id }, query: { device_id } }),

  /** Saves answers. With `leaving` the request outlives the page. */
  save: (id: string, body: SaveRequest, leaving = false) =>
    call("PUT", "/api/exam/sitting/{id}/answers/", {
      params: { id },
      body,
      ...(leaving ? { keepalive: true } : {}),
    }),

  /** Stores a picture, before the answer that names it. */
  putPicture: (id: string, question: number, picture: Blob) =>
    call("PUT", "/api/exam/sitting/{id}/picture/{question}/", {
      params: { id, question },
      body: picture,
    }),

  /** A stored picture of the learner. */
  picture: (question: number, picture: string) =>
    call("GET", "/api/exam/question/{id}/picture/{picture}/", {
      params: { id: question, picture },
    }),

  /** Makes this device the active one. */
  takeOver: (id: string, device_id: string, device_time: string) =>
    call("POST", "/api/exam/sitting/{id}/take-over/", {
      params: { id },
      body: { device_id, device_time },
    }),

  handIn: (id: string, device_id: string, epoch: number) =>
    call("POST", "/api/exam/sitting/{id}/hand-in/", {
      params: { id },
      body: { device_id, epoch },
    }),
};

export type SittingApi = typeof sittingApi;
