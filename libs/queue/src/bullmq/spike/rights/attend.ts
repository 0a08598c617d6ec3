import { FAIR_QUEUING } from './fair-queuing.ts';

/**
 * Who serves evaluations that a client waits for. Follows `FAIR_QUEUING` in scripts that need it:
 *
 * - `attended` hash: by evaluation, the process on whose connection its client waits
 * - `attendants` sorted set: those processes by the time at which they count as gone (epoch ms of the server's clock)
 */
export const ATTENDANCE = `
local ATTENDANTS = P .. ':attendants'
local function attend(name, ms)
  call('ZADD', ATTENDANTS, nowMs() + ms, name)
  if ms > 0 then call('PEXPIRE', ATTENDANTS, 2 * ms) end
end
`;

/** ARGV name, ms for which the process counts as there; 0: it ends. */
export const ATTEND = `${FAIR_QUEUING}${ATTENDANCE}
attend(ARGV[1], tonumber(ARGV[2]))`;
