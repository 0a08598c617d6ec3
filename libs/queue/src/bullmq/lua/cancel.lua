--- Ends an evaluation: waiting chunks are dropped, and consumers of running ones get a message.
--- @invariant an evaluation ends once: its state is read and changed in one step
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument nonce string  what no other call has
--- @returns {cancelled | over, 'cancelled' where this ended a detached evaluation (the same when it is sent again), else ''}
--- @include include/life

return reply(args.id, happen(args.id, 'cancel', {}, { by = args.nonce }), args.nonce)
