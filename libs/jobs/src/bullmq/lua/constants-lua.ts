import { JOB_LIFE, STATES } from '../../life/job-life.ts';
import type { Transition } from '../../life/job-life.ts';
import { JOBS_OF_FLOW, LINES, STUDIES_OF_FLOW, STUDY_LINE } from '../../life/line-limits.ts';
import { MIN_RETENTION_MS, SMALL_RESULT_BYTES } from '../../retention.ts';
import { REDIS_FORM } from '../../stored-form.ts';

/** Maximum number of jobs for which one call of a script removes the charge of expired results. */
const CHARGES_A_CALL = 1000;
/** Time in ms for which Redis keeps the ends that a heartbeat told, so that a repeated call tells the same. It exceeds the timeout of a command. */
const REPLY_KEPT_MS = 60_000;
/** Time in ms for which the index of jobs keeps a job after all its keys have expired. */
const INDEX_SPARE_MS = 86_400_000;

/** Returns Lua code that declares the constants and the state transitions of jobs. TypeScript code declares the same values. */
export function constantsLua(): string {
  const constants = {
    TOLD_MS: REPLY_KEPT_MS,
    CHARGES_A_CALL,
    SMALL_RESULT_BYTES,
    MIN_RETENTION_MS,
    REDIS_FORM,
    INDEX_SPARE_MS,
    JOBS_OF_FLOW,
    STUDIES_OF_FLOW,
  };
  return [
    ...Object.entries(constants).map(([name, value]) => `local ${name} = ${value}`),
    `local STUDY_LINE = '${STUDY_LINE}'`,
    `local LINE_NAMES = { ${LINES.map((line) => `'${line}'`).join(', ')} }`,
    ...lifeLua(),
  ].join('\n');
}

/** Returns Lua code for `JOB_LIFE` as a function. It is not a table, because Redis would build the whole table again each time a script runs. */
function lifeLua(): string[] {
  return [
    '-- The transition that an event takes in a state, from JOB_LIFE (jobs/job-life.ts).',
    'local function transitionOf(state, event, facts)',
    ...STATES.flatMap((state) => [`  if state == '${state}' then`, ...JOB_LIFE[state].map(transitionLua), '  end']),
    "  error('the life of a job has no ' .. event .. ' in the state ' .. state)",
    'end',
  ];
}

function transitionLua({ on, when, to, answer, effects }: Transition): string {
  const condition = `event == '${on}'${when === undefined ? '' : ` and facts.${when}`}`;
  const list = effects.map((effect) => `'${effect}'`).join(', ');
  return `    if ${condition} then return { on = '${on}', to = '${to}', answer = '${answer}', effects = { ${list} } } end`;
}
