import { describe, expect, it } from 'vitest';
import { BOARD_TASKS, CancellationBoard } from './cancellation-board.ts';

/** Returns two views of one shared memory board with `tasks` tasks: for the owner, who assigns the tasks, and for the thread. */
function sides(tasks: number): { readonly owner: CancellationBoard; readonly thread: CancellationBoard } {
  const owner = new CancellationBoard();
  owner.lay(tasks);
  return { owner, thread: new CancellationBoard(owner.shared) };
}

describe('a board of tasks', () => {
  it('lets one side only have a task: who requeues it, or who begins it', () => {
    const { owner, thread } = sides(2);
    expect(owner.move(0, 'requeue')).toBe('queued');
    expect(thread.move(0, 'begin')).toBe('queued');
    expect(thread.move(1, 'begin')).toBe('running');
    expect(owner.move(1, 'requeue')).toBe('running');
  });

  it('cancels the task that runs, and no other', () => {
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

  it('keeps a task cancelled while its thread is being ended', () => {
    const { owner, thread } = sides(1);
    const token = thread.token();
    thread.move(0, 'begin');
    token.follow(0);
    owner.move(0, 'cancel');
    expect(owner.move(0, 'expire')).toBe('terminating');
    expect(token.cancelled).toBe(true);
  });

  it('shows an answer when its task is over, not before', () => {
    const { owner, thread } = sides(1);
    thread.move(0, 'begin');
    thread.leave(0, Buffer.from('answer'));
    expect(owner.answerOf(0)).toBeUndefined();
    thread.move(0, 'finish');
    expect(owner.answerOf(0)?.toString()).toBe('answer');
  });

  it('refuses an event that the life of a task does not have', () => {
    const { owner, thread } = sides(1);
    expect(() => thread.move(0, 'finish')).toThrow('no finish in the state assigned');
    expect(owner.stateOf(0)).toBe('assigned');
  });

  it('has no room for more than all answers together', () => {
    const { thread } = sides(2);
    expect(thread.leave(0, Buffer.alloc(40_000))).toBe(true);
    expect(thread.leave(1, Buffer.alloc(40_000))).toBe(false);
    thread.wipe();
    expect(thread.leave(1, Buffer.alloc(40_000))).toBe(true);
  });

  it('is as new when it is laid again', () => {
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
