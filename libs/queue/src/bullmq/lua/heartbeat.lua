--- Reports that a process is alive. The process serves evaluations whose clients wait for the results.
--- @invariant the time comes from the server, so that processes with different clocks agree on which processes are alive
--- KEYS[1] prefix
--- @argument process string  Name of the process
--- @argument ms number  Time in ms for which the heartbeat is valid; 0 if the process ends
--- @returns nothing
--- @include include/serving

heartbeat(args.process, args.ms)
