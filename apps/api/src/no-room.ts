/** What the description of the API says of the 429 of a request that is answered at once. */
export const NO_ROOM =
  'The queue before the engine, or what the client may keep waiting in it, is full; Retry-After says when to come back';
