--- Ends a job early, or deletes it with everything that is stored for it.
--- @invariant a job ends only once, because its state is read and changed in one step
--- KEYS[1] prefix
--- @argument id string  Id of the job
--- @argument event 'cancel' | 'lose' | 'forget'  Event that happens to the job
--- @argument nonce string  Random text that only this call and its repetitions use
--- @returns {answer, end, line, named…}. `answer` is `cancelled`, `failed` or `forgotten`, or `over` if the job is unknown or has already ended.
--- @returns `end` is `cancelled` or `failed` if this call ended the job, and empty otherwise. `line` is the line of the job, empty if the job is unknown.
--- @returns `named` are jobs that this process must add to BullMQ. A retry of the call returns the same end
--- @include include/life

local flow = flowOf(args.id)
local answer = reply(args.id, happen(args.id, args.event, {}, { by = args.nonce }), args.nonce)
table.insert(answer, 3, flow and lineOf(flow) or '')
return answer
