--- Adds the next chunk to an evaluation. A chunk that is sent again is recognized by its first item, and is queued only once.
--- @invariant a repeated chunk is counted once. Its bytes are added only if the limits, read in the same step, leave room
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @argument chunk ChunkArguments  Chunk that is added
--- @argument ttlMs number  Lifetime of the chunk's keys, in ms
--- @argument allBytes number  Maximum number of bytes of the waiting chunks of all flows, above which the chunk is refused
--- @returns {answer, waiting}. `answer` is `queued`, `over` if the evaluation accepts no more chunks, or the name of the limit that refuses the chunk.
--- @returns `waiting` is the number of waiting chunks of all evaluations
--- @include include/admission

return { enqueue(args.id, args.chunk, args.ttlMs, args.allBytes), number(CHUNKS, '') }
