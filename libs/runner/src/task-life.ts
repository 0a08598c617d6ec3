/**
 * States of a task in the engine host, the process that runs the engine's threads. `queued`: the task is not assigned to a thread.
 * `terminating`: the thread of the task is being ended. `done`, `cancelled` and `broken` are final states in the engine host.
 */
export const TASK_STATES = [
  'queued',
  'assigned',
  'running',
  'cancelling',
  'terminating',
  'quarantined',
  'done',
  'cancelled',
  'broken',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/**
 * Events of a task:
 * - `assign`: the task is put on the board (memory shared with the host) of an idle thread
 * - `begin`: the thread starts the task
 * - `finish`: the task has a result
 * - `stop`: the task stopped because it was cancelled
 * - `fail`: the task cannot be run, or the engine threw an error
 * - `requeue`: the task is taken off its thread, because an earlier task occupies the thread
 * - `cancel`: the result of the task is no longer needed
 * - `expire`: the grace period is over, and the thread of the task is ended
 * - `exit`: the thread of the task ended
 * - `hang`: the thread of the task still runs although it was ended
 * - `isolate`: the task waits for quarantine, a separate host process that runs suspect tasks one at a time
 * - `release`: the turn of the task in quarantine begins
 * - `preempt`: the turn of the task in quarantine was ended because another task waits
 */
export type TaskEvent =
  | 'assign'
  | 'begin'
  | 'finish'
  | 'stop'
  | 'fail'
  | 'requeue'
  | 'cancel'
  | 'expire'
  | 'exit'
  | 'hang'
  | 'isolate'
  | 'release'
  | 'preempt';

/** Returns transitions for events that arrive after a task is over. They do not change the state. */
const OVER = (state: TaskState): Partial<Record<TaskEvent, TaskState>> => ({
  requeue: state,
  cancel: state,
  expire: state,
  exit: state,
});

/**
 * State machine of a task in the engine host, the process that runs the engine's threads. An event for which the current state has no entry
 * is an error. Host and thread act at the same time, so an event may arrive too late. Each state has entries for the late events, which
 * keep the state.
 */
export const TASK_LIFE: Readonly<Record<TaskState, Readonly<Partial<Record<TaskEvent, TaskState>>>>> = {
  queued: { assign: 'assigned', begin: 'queued', cancel: 'cancelled', fail: 'broken', isolate: 'quarantined' },
  assigned: { begin: 'running', requeue: 'queued', cancel: 'cancelled', exit: 'queued' },
  running: { finish: 'done', fail: 'broken', requeue: 'running', cancel: 'cancelling', exit: 'broken' },
  cancelling: {
    finish: 'done',
    stop: 'cancelled',
    fail: 'broken',
    requeue: 'cancelling',
    cancel: 'cancelling',
    expire: 'terminating',
    exit: 'broken',
  },
  terminating: { finish: 'terminating', stop: 'terminating', fail: 'terminating', exit: 'cancelled', hang: 'broken' },
  quarantined: { release: 'queued', cancel: 'cancelled' },
  done: { ...OVER('done'), preempt: 'quarantined' },
  cancelled: { ...OVER('cancelled'), begin: 'cancelled', preempt: 'quarantined' },
  broken: { ...OVER('broken'), isolate: 'quarantined' },
};

/** Returns the state of a task after an event. Throws if {@link TASK_LIFE} has no transition for the event in this state. */
export function nextState(state: TaskState, event: TaskEvent): TaskState {
  const next = TASK_LIFE[state][event];
  if (next === undefined) throw new Error(`the life of a task has no ${event} in the state ${state}`);
  return next;
}
