--- A process that serves evaluations which clients wait for says that it is there.
--- @invariant the time is the server's, so that processes with other clocks agree on who is there
--- KEYS[1] prefix
--- @argument process string  its name
--- @argument ms number  how long the heartbeat counts; 0: the process ends
--- @returns nothing
--- @include include/serving

heartbeat(args.process, args.ms)
