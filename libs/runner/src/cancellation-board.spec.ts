import { describe, expect, it } from 'vitest';
import { BOARD_TASKS, CancellationBoard } from './cancellation-board.ts';

/** Returns two views of one shared memory board with `tasks` tasks: for the owner, who assigns the tasks, and for the thread. */
function sides(tasks: number): { readonly owner: CancellationBoard; readonly thread: CancellationBoard } {
  const owner = new CancellationBoard();
  owner.lay(tasks);
  return { owner, thread: new CancellationBoard(owner.shared) };
}

describe('the shared-memory board on which a thread and its owner record the states of tasks', () => {
  it('lets either the owner requeue a task or the thread begin it, but not both', () => {
    const { owner, thread } = sides(2);
    expect(owner.move(0, 'requeue')).toBe('queued');
    expect(thread.move(0, 'begin')).toBe('queued');
    expect(thread.move(1, 'begin')).toBe('running');
    expect(owner.move(1, 'requeue')).toBe('running');
  });

  it('shows a cancellation to the thread only while the cancelled task runs', () => {
    const { owner, thread } = sides(2);
    const token = thread.token();
    thread.move(0, 'begin');
    token.follow(0);
    expect(owner.move(1, 'cancel')).toBe('cancelled');
    expect(token.cancelled).toBe(false);
    expect(owner.move(0, 'cancel')).toBe('cancelling');
    expect(token.cancelled).toBe(true);
    thread.move(0, 'finish');
    expect(thread.move(1, 'begin')).toBe('cancelled');
  });

  it('keeps a task cancelled while its thread is being terminated', () => {
    const { owner, thread } = sides(1);
    const token = thread.token();
    thread.move(0, 'begin');
    token.follow(0);
    owner.move(0, 'cancel');
    expect(owner.move(0, 'expire')).toBe('terminating');
    expect(token.cancelled).toBe(true);
  });

  it('shows an answer only after its task has finished', () => {
    const { owner, thread } = sides(1);
    thread.move(0, 'begin');
    thread.leave(0, Buffer.from('answer'));
    expect(owner.answerOf(0)).toBeUndefined();
    thread.move(0, 'finish');
    expect(owner.answerOf(0)?.toString()).toBe('answer');
  });

  it('rejects an event that is invalid in the state of the task', () => {
    const { owner, thread } = sides(1);
    expect(() => thread.move(0, 'finish')).toThrow('no finish in the state assigned');
    expect(owner.stateOf(0)).toBe('assigned');
  });

  it('limits the size of all answers together', () => {
    const { thread } = sides(2);
    expect(thread.leave(0, Buffer.alloc(40_000))).toBe(true);
    expect(thread.leave(1, Buffer.alloc(40_000))).toBe(false);
    thread.wipe();
    expect(thread.leave(1, Buffer.alloc(40_000))).toBe(true);
  });

  it('has only assigned tasks without answers when a thread gets new tasks', () => {
    const { owner, thread } = sides(BOARD_TASKS);
    for (let task = 0; task < BOARD_TASKS; task++) {
      thread.move(task, 'begin');
      thread.leave(task, Buffer.from('a'));
      thread.move(task, 'finish');
    }
    owner.lay(BOARD_TASKS);
    for (let task = 0; task < BOARD_TASKS; task++) expect([owner.stateOf(task), owner.answerOf(task)]).toEqual(['assigned', undefined]);
  });
});
