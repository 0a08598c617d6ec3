import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nextState, PIECE_LIFE, PIECE_STATES } from './piece-life.ts';
import type { PieceEvent, PieceState } from './piece-life.ts';

const transitions = PIECE_STATES.flatMap((from) =>
  (Object.entries(PIECE_LIFE[from]) as [PieceEvent, PieceState][]).map(([on, to]) => ({ from, on, to })),
);

describe('the life of a piece of work', () => {
  it('is drawn in the documentation', () => {
    const lines = transitions.filter(({ from, to }) => from !== to).map(({ from, on, to }) => `    ${from} --> ${to}: ${on}\n`);
    const page = readFileSync(new URL('../../../docs/contributing/processes.md', import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`mermaid\nstateDiagram-v2\n    [*] --> queued\n${lines.join('')}\`\`\`\n`);
  });

  it('reaches every state from `queued`', () => {
    const reached = new Set<PieceState>(['queued']);
    for (const state of reached) for (const { to } of transitions.filter(({ from }) => from === state)) reached.add(to);
    expect([...reached].toSorted()).toEqual([...PIECE_STATES].toSorted());
  });

  it('is over with an answer: only the quarantine begins it again', () => {
    const after = transitions.filter(({ from, to }) => ['done', 'cancelled', 'broken'].includes(from) && from !== to);
    expect(new Set(after.map(({ to }) => to))).toEqual(new Set(['quarantined']));
  });

  it('has no other events than those of the table', () => {
    expect(() => nextState('running', 'stop')).toThrow('the life of a piece of work has no stop in the state running');
    expect(() => nextState('done', 'finish')).toThrow('no finish in the state done');
    expect(() => nextState('running', 'assign')).toThrow('no assign in the state running');
  });
});
