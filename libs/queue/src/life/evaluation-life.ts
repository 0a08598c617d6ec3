import type { EvaluationPhase } from '../ports.ts';

/**
 * States of an evaluation. `unknown` means that it was never accepted, was forgotten, or was lost with its storage. All other states are
 * phases that clients see.
 */
export const STATES = ['unknown', 'receiving', 'running', 'complete', 'cancelled', 'failed', 'tooLarge'] as const satisfies readonly (
  EvaluationPhase | 'unknown'
)[];
export type EvaluationState = (typeof STATES)[number];

/**
 * Events of an evaluation or of its chunks. `release`: a consumer gives a chunk back. `expire`: the lease of a chunk ran out. `lose`: the
 * storage lost part of the evaluation, which can therefore never be complete. All other events are calls of the ports.
 */
export const EVENTS = ['accept', 'enqueue', 'seal', 'claim', 'renew', 'commit', 'release', 'expire', 'cancel', 'lose', 'forget'] as const;
export type EvaluationEvent = (typeof EVENTS)[number];

/**
 * Facts that decide between the transitions of one event:
 * - `resent`: the chunk to enqueue is already stored (the reply was lost, and the caller repeats the call)
 * - `judged`: the chunk to commit already has a result
 * - `superseded`: the lease of a commit, release, expiry or renewal is not held any more
 * - `overfull`: there is no room for the committed result: its flow or all flows have reached their share of bytes, or it is too large
 * - `last`: after this event every chunk of the evaluation has a result
 */
export const FACTS = ['resent', 'judged', 'superseded', 'overfull', 'last'] as const;
type Fact = (typeof FACTS)[number];
export type Facts = Partial<Readonly<Record<Fact, boolean>>>;

/**
 * Effects of a transition, in the order in which the transition lists them:
 * - `open`: the evaluation is counted for its flow and gets a queue key in the fair queue
 * - `queue`: the new chunk waits, after the other chunks of the evaluation
 * - `lend`: the chunk gets a lease, or its existing lease is extended
 * - `store`: the chunk's result is stored and charged to its flow, its tally and cost are added, and its text is dropped
 * - `requeue`: the chunk waits again, before the other chunks of the evaluation. Its number of claims rises by one, unless part of the
 *   chunk is done
 * - `close`: the evaluation leaves the fair queue with its waiting chunks and is no longer counted. Its texts are dropped, and its results
 *   begin to expire
 * - `erase`: record and results are dropped, and are no longer charged
 * - `wake`: readers that wait for the evaluation's progress check again
 * - `stop`: consumers of the evaluation's chunks receive the cancellation
 * - `end`: the end of a detached evaluation is reported to one process
 *
 * A commit, release or expiry also ends the lease and frees the seat, regardless of the state. This is not an effect of a transition.
 */
const EFFECTS = ['open', 'queue', 'lend', 'store', 'requeue', 'close', 'erase', 'wake', 'stop', 'end'] as const;
export type TransitionEffect = (typeof EFFECTS)[number];

/** The answer to the caller of an event. */
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

/** Transition from one state to another. */
export interface Transition {
  readonly on: EvaluationEvent;
  /** Fact that must hold for the transition; undefined if there is no condition. The first matching transition of an event is taken. */
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

/** Returns a transition that is taken only if `fact` holds. */
const when = (fact: Fact, { on, ...rest }: Transition): Transition => ({ on, when: fact, ...rest });

/** Transitions of every living evaluation: its chunks are lent and come back, and it can end before it is complete. */
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

/** Transitions of every evaluation that is over: it can only be forgotten. */
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
 * `test/life-walk.spec.ts` runs both through every sequence of events up to a length and compares them with this table.
 *
 * A result is stored once because only a `commit` without `judged` and `superseded` stores a result, and `store` makes both true for the
 * next commit. An evaluation ends once because `close` occurs only in transitions from `receiving` and `running` to other states.
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

/** {@link EVALUATION_LIFE} by state and event. */
const byEvent = new Map<EvaluationState, Map<EvaluationEvent, Transition[]>>();
for (const state of STATES) {
  const events = new Map<EvaluationEvent, Transition[]>();
  for (const transition of EVALUATION_LIFE[state]) events.set(transition.on, [...(events.get(transition.on) ?? []), transition]);
  byEvent.set(state, events);
}

/** Returns the transition that an event takes in a state. */
export function transitionOf(state: EvaluationState, event: EvaluationEvent, facts: Facts = {}): Transition {
  for (const transition of byEvent.get(state)?.get(event) ?? [])
    if (transition.when === undefined || facts[transition.when] === true) return transition;
  throw new Error(`the life of an evaluation has no ${event} in the state ${state}`);
}

/** Returns true if chunks can still be claimed and results stored. */
export const isLiving = (state: EvaluationState): boolean => state === 'receiving' || state === 'running';
