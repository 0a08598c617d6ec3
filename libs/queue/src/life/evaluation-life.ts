import type { EvaluationPhase } from '../ports.ts';

/**
 * States of an evaluation. `unknown` means that the evaluation was never accepted, was forgotten, or was lost with its storage. All other
 * states are phases that clients see.
 */
export const STATES = ['unknown', 'receiving', 'running', 'complete', 'cancelled', 'failed', 'tooLarge'] as const satisfies readonly (
  | EvaluationPhase
  | 'unknown'
)[];
export type EvaluationState = (typeof STATES)[number];

/**
 * Events of an evaluation or of its chunks. `release`: a consumer gives a chunk back. `expire`: the lease of a chunk ran out. `lose`: the
 * storage lost part of the evaluation, which can therefore never be complete. All other events are method calls of the ports.
 */
export const EVENTS = ['accept', 'enqueue', 'seal', 'claim', 'renew', 'commit', 'release', 'expire', 'cancel', 'lose', 'forget'] as const;
export type EvaluationEvent = (typeof EVENTS)[number];

/**
 * Conditions that select the transition of an evaluation when an event is handled:
 * - `resent`: the chunk to enqueue is already stored, because the reply was lost and the caller repeats the call
 * - `judged`: the chunk to commit already has a result
 * - `superseded`: the consumer no longer holds the lease to which the commit, release, expiry or renewal refers
 * - `overfull`: the result is too large, or no space for results is left in the flow (queue of one client) or in all flows together
 * - `last`: after this event every chunk of the evaluation has a result
 */
export const FACTS = ['resent', 'judged', 'superseded', 'overfull', 'last'] as const;
type Fact = (typeof FACTS)[number];
export type Facts = Partial<Readonly<Record<Fact, boolean>>>;

/**
 * Effects of a transition, in the order in which the transition lists them:
 * - `open`: the evaluation is counted for its flow and gets a queue key in the fair queue
 * - `queue`: the new chunk waits, after all earlier chunks of the evaluation
 * - `lend`: the chunk gets a lease, or its existing lease is extended
 * - `store`: the chunk's result is stored and charged to its flow, its tally and cost are added to the evaluation's, and its text is
 *   dropped
 * - `requeue`: the chunk waits again, before all other chunks of the evaluation. Its number of claims rises by one
 * - `close`: the evaluation leaves the fair queue with its waiting chunks and is no longer counted for its flow. Its texts are dropped, and
 *   the retention time of its results begins
 * - `erase`: the record and the results of the evaluation are dropped, and its flow is no longer charged for them
 * - `wake`: readers that wait for the evaluation's progress check the progress again
 * - `stop`: consumers of the evaluation's chunks receive the cancellation
 * - `end`: the end of the evaluation is reported to one process
 *
 * A commit, release or expiry also ends the lease and frees the seat, regardless of the state. This is not an effect of a transition.
 */
const EFFECTS = ['open', 'queue', 'lend', 'store', 'requeue', 'close', 'erase', 'wake', 'stop', 'end'] as const;
export type TransitionEffect = (typeof EFFECTS)[number];

/** Answers of a queue to the caller that causes an event. */
type Answer =
  | 'accepted'
  | 'exists'
  | 'queued'
  | 'over'
  | 'sealed'
  | 'held'
  | 'stored'
  | 'duplicate'
  | 'gone'
  | 'released'
  | 'cancelled'
  | 'failed'
  | 'tooLarge'
  | 'forgotten';

/** Transition of an evaluation to the state `to`, caused by the event `on`. */
export interface Transition {
  readonly on: EvaluationEvent;
  /**
   * Fact that must hold for the transition; undefined if the transition has no condition. The first matching transition of an event is
   * taken.
   */
  readonly when?: Fact;
  readonly to: EvaluationState;
  readonly answer: Answer;
  readonly effects: readonly TransitionEffect[];
}

const to = (state: EvaluationState, on: EvaluationEvent, answer: Answer, effects: readonly TransitionEffect[] = []): Transition => ({
  on,
  to: state,
  answer,
  effects,
});

/** Returns a copy of a transition that is taken only if `fact` holds. */
const when = (fact: Fact, { on, ...rest }: Transition): Transition => ({ on, when: fact, ...rest });

/**
 * Returns the transitions of `receiving` or `running`, the states in which the evaluation is not over. In these states, its chunks are
 * claimed and given back, and the evaluation can end before it is complete.
 */
const living = (state: 'receiving' | 'running'): readonly Transition[] => [
  to(state, 'accept', 'exists'),
  to(state, 'claim', 'held', ['lend']),
  when('superseded', to(state, 'renew', 'gone')),
  to(state, 'renew', 'held', ['lend']),
  when('judged', to(state, 'commit', 'duplicate')),
  when('superseded', to(state, 'commit', 'gone')),
  when('overfull', to('tooLarge', 'commit', 'tooLarge', ['close', 'stop', 'wake', 'end'])),
  when('superseded', to(state, 'release', 'gone')),
  to(state, 'release', 'released', ['requeue']),
  when('superseded', to(state, 'expire', 'gone')),
  to(state, 'expire', 'released', ['requeue']),
  to('cancelled', 'cancel', 'cancelled', ['close', 'stop', 'wake', 'end']),
  to('failed', 'lose', 'failed', ['close', 'stop', 'wake', 'end']),
  to('unknown', 'forget', 'forgotten', ['close', 'erase', 'wake']),
];

/** Returns the transitions of a state in which the evaluation is over. The only possible change is that the evaluation is forgotten. */
const over = (state: 'complete' | 'cancelled' | 'failed' | 'tooLarge'): readonly Transition[] => [
  to(state, 'accept', 'exists'),
  to(state, 'enqueue', 'over'),
  to(state, 'seal', 'sealed'),
  to(state, 'claim', 'gone'),
  to(state, 'renew', 'gone'),
  to(state, 'release', 'gone'),
  to(state, 'expire', 'gone'),
  to(state, 'cancel', 'over'),
  to(state, 'lose', 'over'),
  to('unknown', 'forget', 'forgotten', ['erase', 'wake']),
];

/**
 * State machine of an evaluation. The embedded queue runs this table, and the Redis scripts run the same rules in Lua (`bullmq/lua/`).
 * `test/life-walk.spec.ts` runs both queues through every sequence of events up to a maximum length and compares them with this table.
 *
 * A chunk's result is stored only once. A `commit` stores a result only if neither of the facts `judged` and `superseded` is true. The
 * effect `store` makes both true for the next commit. An evaluation ends only once, because `close` occurs only in transitions from
 * `receiving` and `running` to other states.
 */
export const EVALUATION_LIFE: Readonly<Record<EvaluationState, readonly Transition[]>> = {
  unknown: [
    to('receiving', 'accept', 'accepted', ['open']),
    to('unknown', 'enqueue', 'over'),
    to('unknown', 'seal', 'gone'),
    to('unknown', 'claim', 'gone'),
    to('unknown', 'renew', 'gone'),
    to('unknown', 'commit', 'gone'),
    to('unknown', 'release', 'gone'),
    to('unknown', 'expire', 'gone'),
    to('unknown', 'cancel', 'over'),
    to('unknown', 'lose', 'over'),
    to('unknown', 'forget', 'forgotten', ['wake']),
  ],
  receiving: [
    ...living('receiving'),
    when('resent', to('receiving', 'enqueue', 'queued')),
    to('receiving', 'enqueue', 'queued', ['queue']),
    when('last', to('complete', 'seal', 'sealed', ['close', 'wake', 'end'])),
    to('running', 'seal', 'sealed', ['wake']),
    to('receiving', 'commit', 'stored', ['store', 'wake']),
  ],
  running: [
    ...living('running'),
    to('running', 'enqueue', 'over'),
    to('running', 'seal', 'sealed'),
    when('last', to('complete', 'commit', 'stored', ['store', 'close', 'wake', 'end'])),
    to('running', 'commit', 'stored', ['store', 'wake']),
  ],
  complete: [...over('complete'), when('judged', to('complete', 'commit', 'duplicate')), to('complete', 'commit', 'gone')],
  cancelled: [...over('cancelled'), to('cancelled', 'commit', 'gone')],
  failed: [...over('failed'), to('failed', 'commit', 'gone')],
  tooLarge: [...over('tooLarge'), to('tooLarge', 'commit', 'gone')],
};

/** Transitions of {@link EVALUATION_LIFE} by state and event. */
const byEvent = new Map<EvaluationState, Map<EvaluationEvent, Transition[]>>();
for (const state of STATES) {
  const events = new Map<EvaluationEvent, Transition[]>();
  for (const transition of EVALUATION_LIFE[state]) events.set(transition.on, [...(events.get(transition.on) ?? []), transition]);
  byEvent.set(state, events);
}

/**
 * Returns the transition that an event causes in a state. If the event can cause several transitions, `facts` decide between them. Throws
 * if the state has no such transition.
 */
export function transitionOf(state: EvaluationState, event: EvaluationEvent, facts: Facts = {}): Transition {
  for (const transition of byEvent.get(state)?.get(event) ?? [])
    if (transition.when === undefined || facts[transition.when] === true) return transition;
  throw new Error(`the life of an evaluation has no ${event} in the state ${state}`);
}

/** Returns true if chunks of an evaluation in this state can still be claimed and their results stored. */
export const isLiving = (state: EvaluationState): boolean => state === 'receiving' || state === 'running';
