import {
  GREATEST_COST_MS,
  LEARNING_RATE,
  LEAST_COST_MS,
  LEAST_SAMPLE_CAP_MS,
  MS_PER_BYTE,
  SAMPLE_GROWTH,
  SAMPLE_ITEMS,
} from '../../flow/chunk-cost.ts';
import { LEVEL_WEIGHTS } from '../../flow/level.ts';
import { DEBT_CAP_MS } from '../../flow/scheduling-node.ts';
import { EVALUATION_LIFE, STATES } from '../../life/evaluation-life.ts';
import type { Transition } from '../../life/evaluation-life.ts';
import { LEAST_RETENTION_MS, PRICE_MS, SMALL_RESULT_BYTES } from '../../retention.ts';
import { REDIS_FORM } from '../../stored-form.ts';

/** Maximum number of leases that one call takes back. The limit keeps scripts from blocking the server for long. */
const LEASES_A_CALL = 200;
/** Maximum number of evaluations whose expired results one call removes from the charges. */
const CHARGES_A_CALL = 1000;
/** Time in ms for which Redis keeps an answer of `reconcile` for a repeated call. No command waits longer for its answer. */
const REPLY_KEPT_MS = 60_000;

/** Returns the Lua code of facts that TypeScript declares: constants of fair queuing, and the life of an evaluation. */
export function constantsLua(): string {
  const constants = {
    GREATEST_COST_MS,
    LEARNING_RATE,
    LEAST_COST_MS,
    LEAST_SAMPLE_CAP_MS,
    MS_PER_BYTE,
    SAMPLE_GROWTH,
    SAMPLE_ITEMS,
    DEBT_CAP_MS,
    LEASES_A_CALL,
    PRICE_MS,
    TOLD_MS: REPLY_KEPT_MS,
    CHARGES_A_CALL,
    SMALL_RESULT_BYTES,
    LEAST_RETENTION_MS,
    REDIS_FORM,
  };
  const weights = Object.entries(LEVEL_WEIGHTS).map(([level, weight]) => `${level} = ${weight}`);
  return [
    ...Object.entries(constants).map(([name, value]) => `local ${name} = ${value}`),
    `local LEVEL_WEIGHTS = { ${weights.join(', ')} }`,
    ...lifeLua(),
  ].join('\n');
}

/**
 * EVALUATION_LIFE as a function instead of a table: Redis runs a script from its first line each time, and would make all of the table anew.
 */
function lifeLua(): string[] {
  return [
    '-- The transition that an event takes in a state, from EVALUATION_LIFE (life/evaluation-life.ts).',
    'local function transitionOf(state, event, facts)',
    ...STATES.flatMap((state) => [`  if state == '${state}' then`, ...EVALUATION_LIFE[state].map(transitionLua), '  end']),
    "  error('the life of an evaluation has no ' .. event .. ' in the state ' .. state)",
    'end',
  ];
}

function transitionLua({ on, when, to, answer, effects }: Transition): string {
  const condition = `event == '${on}'${when === undefined ? '' : ` and facts.${when}`}`;
  const list = effects.map((effect) => `'${effect}'`).join(', ');
  return `    if ${condition} then return { on = '${on}', to = '${to}', answer = '${answer}', effects = { ${list} } } end`;
}
