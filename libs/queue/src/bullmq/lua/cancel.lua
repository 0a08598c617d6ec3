--- Cancels an evaluation. Its waiting chunks are dropped, and consumers of its running chunks receive a message.
--- @invariant an evaluation ends only once, because its state is read and changed in one step
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @argument nonce string  Random text that only this call and its repetitions use
--- @returns {answer, end}. `answer` is `cancelled`, or `over` if the evaluation is unknown or has already ended.
--- @returns `end` is `cancelled` if this call ended the evaluation, and empty otherwise. A retry of the call returns the same
--- @include include/life

return reply(args.id, happen(args.id, 'cancel', {}, { by = args.nonce }), args.nonce)
