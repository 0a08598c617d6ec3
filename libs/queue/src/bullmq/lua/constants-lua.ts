import { GREATEST_COST_MS, LEARNING_RATE, LEAST_COST_MS, LEAST_SAMPLE_CAP_MS, SAMPLE_GROWTH, SAMPLE_ITEMS } from '#runner/flow';
import { MS_PER_BYTE, LEVEL_WEIGHTS, DEBT_CAP_MS } from '#runner/flow';
import { EVALUATION_LIFE, STATES } from '../../life/evaluation-life.ts';
import type { Transition } from '../../life/evaluation-life.ts';
import { LEAST_RETENTION_MS, PRICE_MS, SMALL_RESULT_BYTES } from '../../retention.ts';
import { REDIS_FORM } from '../../stored-form.ts';

/** Maximum number of leases that one call of a script takes back. The limit prevents scripts from blocking the server for long. */
const LEASES_A_CALL = 200;
/** Maximum number of evaluations for which one call of a script removes the charge of expired results. */
const CHARGES_A_CALL = 1000;
/**
 * Time in ms for which Redis keeps a response of `reconcile`, so that a repeated call returns the same response. It is longer than the
 * timeout of a command.
 */
const REPLY_KEPT_MS = 60_000;

/**
 * Returns Lua code that declares the constants of fair queuing and the state transitions of an evaluation. TypeScript code declares the
 * same values.
 */
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
 * Returns Lua code for `EVALUATION_LIFE` as a function. It is not a table, because Redis would build the whole table again each time a
 * script runs.
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
