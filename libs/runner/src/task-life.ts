/** States of a task in the engine host. `queued`: no thread has it. `terminating`: its thread is being ended. The last three end its life there. */
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
 * - `assign`: it is put on the board of an idle thread
 * - `begin`: the thread comes to it
 * - `finish`, `stop`, `fail`: it has a result; it heeded its cancellation; it cannot be run, or the engine threw an error
 * - `requeue`: an earlier task keeps its thread
 * - `cancel`: nobody wants its result any more
 * - `expire`: its grace is over, and its thread is ended
 * - `exit`, `hang`: its thread ended; its thread goes on after it was ended
 * - `isolate`: it waits for the quarantine's host, which has nothing else
 * - `release`, `preempt`: its turn in quarantine begins; its turn was ended since another waits
 */
export type TaskEvent =
  'assign' | 'begin' | 'finish' | 'stop' | 'fail' | 'requeue' | 'cancel' | 'expire' | 'exit' | 'hang' | 'isolate' | 'release' | 'preempt';

/** Events that come too late for a task that is over. */
const OVER = (state: TaskState): Partial<Record<TaskEvent, TaskState>> => ({
  requeue: state,
  cancel: state,
  expire: state,
  exit: state,
});

/**
 * The life of a task in the engine host. An event that a state does not name is an error. Host and thread act at the same time, so an event may
 * come too late: then the state stays.
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

/** Returns the state of a task after an event. Throws if the task's life has no such event in its state. */
export function nextState(state: TaskState, event: TaskEvent): TaskState {
  const next = TASK_LIFE[state][event];
  if (next === undefined) throw new Error(`the life of a task has no ${event} in the state ${state}`);
  return next;
}
