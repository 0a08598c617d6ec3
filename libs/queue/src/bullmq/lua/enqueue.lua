--- Adds the next chunk to an evaluation. Sent again, it is queued once: a chunk is known by its first item.
--- @invariant a chunk that is sent again is counted once, and bytes are counted only while the bounds, read in the same step, leave room
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument chunk ChunkArguments
--- @argument ttlMs number  how long the chunk's keys live, ms
--- @argument allBytes number  bytes of waiting chunks, of all flows, beyond which it is refused
--- @returns {queued | over | a refusal, of a chunk that is new: job, index, flow, priority}
--- @include include/admission

local answer, job = enqueue(args.id, args.chunk, args.ttlMs, args.allBytes)
return { answer, unpack(job or {}) }
