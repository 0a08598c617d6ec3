import type { JobPhase } from '../ports.ts';

/**
 * States of a job, such as an evaluation or a study. `unknown` means that the job was never added, was forgotten, or was lost with
 * its storage. All other states are phases that clients see.
 */
export const STATES = ['unknown', 'receiving', 'running', 'complete', 'cancelled', 'failed', 'tooLarge'] as const satisfies readonly (
  | JobPhase
  | 'unknown'
)[];
export type JobState = (typeof STATES)[number];

/**
 * Events of a job. `append`: another part arrives. `seal`: no more parts will arrive. `begin`: a process starts to perform the job. `hold`:
 * a process asks if the job is still its own. `note`: a process stores its note of the job. `store`: a process stores the result of a part. `lose`: the storage lost part of the job,
 * which can therefore never be complete.
 */
export const EVENTS = ['add', 'append', 'seal', 'begin', 'hold', 'note', 'store', 'cancel', 'lose', 'forget'] as const;
export type JobEvent = (typeof EVENTS)[number];

/**
 * Conditions that select the transition of a job when an event is handled:
 * - `resent`: the part to append is already stored, because the reply was lost and the caller repeats the call
 * - `judged`: the part already has a result
 * - `superseded`: the job began again since the start to which the event belongs, or it is another job with the same id
 * - `overfull`: the result is too large, or no space for results is left in the flow or in all flows together
 * - `last`: after this event every part of the job has a result
 */
export const FACTS = ['resent', 'judged', 'superseded', 'overfull', 'last'] as const;
type Fact = (typeof FACTS)[number];
export type Facts = Partial<Readonly<Record<Fact, boolean>>>;

/**
 * Effects of a transition, in the order in which the transition lists them:
 * - `open`: the job is counted for its flow
 * - `keep`: the new part is stored, after all earlier parts of the job, and counted as waiting
 * - `line`: the job waits in the line of its flow until a process performs it
 * - `fence`: the job gets a new fence number, so that results of earlier starts are refused
 * - `store`: the part's result is stored and charged to its flow, its tally and cost are added to the job's, and its text is dropped
 * - `note`: the note of the job is replaced
 * - `close`: the job leaves the line of its flow, its parts without a result are not counted any more, and their texts are dropped. The
 *   retention time of its results begins
 * - `erase`: the record and the results of the job are dropped, and its flow is no longer charged for them
 * - `wake`: readers that wait for the job's progress check the progress again
 * - `stop`: the process that performs the job receives the cancellation
 * - `end`: the end of the job is reported to one process
 */
const EFFECTS = ['open', 'keep', 'line', 'fence', 'store', 'note', 'close', 'erase', 'wake', 'stop', 'end'] as const;
export type TransitionEffect = (typeof EFFECTS)[number];

/** Answers of a store to the caller that causes an event. */
type Answer =
  | 'accepted'
  | 'exists'
  | 'added'
  | 'over'
  | 'sealed'
  | 'begun'
  | 'held'
  | 'noted'
  | 'stored'
  | 'duplicate'
  | 'gone'
  | 'cancelled'
  | 'failed'
  | 'tooLarge'
  | 'forgotten';

/** Transition of a job to the state `to`, caused by the event `on`. */
export interface Transition {
  readonly on: JobEvent;
  /**
   * Fact that must hold for the transition; undefined if the transition has no condition. The first matching transition of an event is
   * taken.
   */
  readonly when?: Fact;
  readonly to: JobState;
  readonly answer: Answer;
  readonly effects: readonly TransitionEffect[];
}

const to = (state: JobState, on: JobEvent, answer: Answer, effects: readonly TransitionEffect[] = []): Transition => ({
  on,
  to: state,
  answer,
  effects,
});

/** Returns a copy of a transition that is taken only if `fact` holds. */
const when = (fact: Fact, { on, ...rest }: Transition): Transition => ({ on, when: fact, ...rest });

/** Returns the transitions by which a job in the state `receiving` or `running` ends early or is forgotten. */
const living = (state: 'receiving' | 'running'): readonly Transition[] => [
  to(state, 'add', 'exists'),
  to('cancelled', 'cancel', 'cancelled', ['close', 'stop', 'wake', 'end']),
  to('failed', 'lose', 'failed', ['close', 'stop', 'wake', 'end']),
  to('unknown', 'forget', 'forgotten', ['close', 'erase', 'stop', 'wake']),
];

/** Returns the transitions by which the last start of a job stores its note. */
const noting = (state: 'running' | 'cancelled'): readonly Transition[] => [
  when('superseded', to(state, 'note', 'gone')),
  to(state, 'note', 'noted', ['note', 'wake']),
];

/**
 * Returns the transitions of a state in which the job is over. The job can only be forgotten. If it was cancelled, its last start may store a
 * last note.
 */
const over = (state: 'complete' | 'cancelled' | 'failed' | 'tooLarge'): readonly Transition[] => [
  to(state, 'add', 'exists'),
  to(state, 'append', 'over'),
  to(state, 'seal', 'sealed'),
  to(state, 'begin', 'gone'),
  to(state, 'hold', 'gone'),
  ...(state === 'cancelled' ? noting('cancelled') : [to(state, 'note', 'gone')]),
  to(state, 'cancel', 'over'),
  to(state, 'lose', 'over'),
  to('unknown', 'forget', 'forgotten', ['erase', 'wake']),
];

/**
 * State machine of a job. The embedded store runs this table, and the Redis scripts run the same rules in Lua (`bullmq/lua/`).
 * `test/life-walk.spec.ts` runs both stores through every sequence of events up to a maximum length and compares them with this table.
 *
 * A part's result is stored only once. A `store` event has its effect only if neither of the facts `judged` and `superseded` is true. A job
 * ends only once, because `close` occurs only in transitions from `receiving` and `running` to other states.
 */
export const JOB_LIFE: Readonly<Record<JobState, readonly Transition[]>> = {
  unknown: [
    to('receiving', 'add', 'accepted', ['open']),
    to('unknown', 'append', 'over'),
    to('unknown', 'seal', 'gone'),
    to('unknown', 'begin', 'gone'),
    to('unknown', 'hold', 'gone'),
    to('unknown', 'note', 'gone'),
    to('unknown', 'store', 'gone'),
    to('unknown', 'cancel', 'over'),
    to('unknown', 'lose', 'over'),
    to('unknown', 'forget', 'forgotten', ['wake']),
  ],
  receiving: [
    ...living('receiving'),
    when('resent', to('receiving', 'append', 'added')),
    to('receiving', 'append', 'added', ['keep']),
    when('last', to('complete', 'seal', 'sealed', ['close', 'wake', 'end'])),
    to('running', 'seal', 'sealed', ['line', 'wake']),
    to('receiving', 'begin', 'gone'),
    to('receiving', 'hold', 'gone'),
    to('receiving', 'note', 'gone'),
    to('receiving', 'store', 'gone'),
  ],
  running: [
    ...living('running'),
    to('running', 'append', 'over'),
    to('running', 'seal', 'sealed'),
    to('running', 'begin', 'begun', ['fence']),
    when('superseded', to('running', 'hold', 'gone')),
    to('running', 'hold', 'held'),
    ...noting('running'),
    when('judged', to('running', 'store', 'duplicate')),
    when('superseded', to('running', 'store', 'gone')),
    when('overfull', to('tooLarge', 'store', 'tooLarge', ['close', 'stop', 'wake', 'end'])),
    when('last', to('complete', 'store', 'stored', ['store', 'close', 'wake', 'end'])),
    to('running', 'store', 'stored', ['store', 'wake']),
  ],
  complete: [...over('complete'), when('judged', to('complete', 'store', 'duplicate')), to('complete', 'store', 'gone')],
  cancelled: [...over('cancelled'), to('cancelled', 'store', 'gone')],
  failed: [...over('failed'), to('failed', 'store', 'gone')],
  tooLarge: [...over('tooLarge'), to('tooLarge', 'store', 'gone')],
};

/** Transitions of {@link JOB_LIFE} by state and event. */
const byEvent = new Map<JobState, Map<JobEvent, Transition[]>>();
for (const state of STATES) {
  const events = new Map<JobEvent, Transition[]>();
  for (const transition of JOB_LIFE[state]) events.set(transition.on, [...(events.get(transition.on) ?? []), transition]);
  byEvent.set(state, events);
}

/**
 * Returns the transition that an event causes in a state. If the event can cause several transitions, `facts` decide between them. Throws
 * if the state has no such transition.
 */
export function transitionOf(state: JobState, event: JobEvent, facts: Facts = {}): Transition {
  for (const transition of byEvent.get(state)?.get(event) ?? [])
    if (transition.when === undefined || facts[transition.when] === true) return transition;
  throw new Error(`the life of a job has no ${event} in the state ${state}`);
}

/** Returns true if a job in this state has not ended. */
export const isLiving = (state: JobState): boolean => state === 'receiving' || state === 'running';
