import { describe, expect, it } from 'vitest';
import { BOARD_PIECES, PieceBoard } from './piece-board.ts';

/** The two sides of a board on which so many pieces lie. */
function sides(pieces: number): { readonly owner: PieceBoard; readonly thread: PieceBoard } {
  const owner = new PieceBoard();
  owner.lay(pieces);
  return { owner, thread: new PieceBoard(owner.shared) };
}

describe('a board of pieces of work', () => {
  it('lets one side only have a piece: who takes it back, or who begins it', () => {
    const { owner, thread } = sides(2);
    expect(owner.takeBack(0)).toBe(true);
    expect(thread.begin(0)).toBe(false);
    expect(thread.begin(1)).toBe(true);
    expect(owner.takeBack(1)).toBe(false);
  });

  it('stops the piece that runs, and no other', () => {
    const { owner, thread } = sides(2);
    const token = thread.token();
    thread.begin(0);
    token.follow(0);
    owner.stop(1);
    expect(token.cancelled).toBe(false);
    owner.stop(0);
    expect(token.cancelled).toBe(true);
    thread.end(0);
    thread.begin(1);
    token.follow(1);
    expect(token.cancelled).toBe(false);
  });

  it('shows an answer when its piece is over, not before', () => {
    const { owner, thread } = sides(1);
    thread.begin(0);
    thread.leave(0, Buffer.from('answer'));
    expect(owner.answerOf(0)).toBeUndefined();
    thread.end(0);
    expect(owner.answerOf(0)?.toString()).toBe('answer');
  });

  it('has no room for more than all answers together', () => {
    const { thread } = sides(2);
    expect(thread.leave(0, Buffer.alloc(40_000))).toBe(true);
    expect(thread.leave(1, Buffer.alloc(40_000))).toBe(false);
    thread.wipe();
    expect(thread.leave(1, Buffer.alloc(40_000))).toBe(true);
  });

  it('is as new when it is laid again', () => {
    const { owner, thread } = sides(BOARD_PIECES);
    for (let piece = 0; piece < BOARD_PIECES; piece++) {
      thread.begin(piece);
      thread.leave(piece, Buffer.from('a'));
      thread.end(piece);
    }
    owner.lay(BOARD_PIECES);
    for (let piece = 0; piece < BOARD_PIECES; piece++) expect([owner.isOver(piece), owner.answerOf(piece)]).toEqual([false, undefined]);
  });
});
