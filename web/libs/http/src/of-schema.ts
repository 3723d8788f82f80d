/** How to read types off an operation of the API's document. */
type Json<Answer> = Answer extends { content: { "application/json": infer Value } } ? Value : never;

/** What a successful answer holds. */
export type Ok<Operation> = Operation extends { responses: { 200: infer Answer } }
  ? Json<Answer>
  : never;

/** What a 201 holds: what was made. */
export type Made<Operation> = Operation extends { responses: { 201: infer Answer } }
  ? Json<Answer>
  : never;

/** What a 202 holds: what is on its way. */
export type Accepted<Operation> = Operation extends { responses: { 202: infer Answer } }
  ? Json<Answer>
  : never;

/** What is sent. */
export type Body<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Value } };
}
  ? Value
  : never;
