import { describe, expect, it } from 'vitest';
import type { Cell } from '../engines/cell.ts';
import type { EngineName } from '../engines/cel-engines.ts';
import { benchText } from './bench-table.ts';
import { celRow } from './cel-row.ts';

const test = { name: 'ints-all', wantedNs: 2 };
const cell = (nsPerStep: number | undefined, cost = 5): Cell => ({ size: 1000, nsPerStep, cost });

function rowOf(cells: Partial<Record<EngineName, Cell>>, go?: Cell) {
  const one = celRow({ test, size: 1000, at: (engine) => cells[engine], go });
  const table = { columns: one.row.map(() => ''), rows: [one.row], notes: [], ...one };
  return { ...one, text: benchText(table) };
}

describe('a row of the bench of CEL engines', () => {
  it('compares generated code with the loop written by hand', () => {
    expect(rowOf({ hand: cell(1), compiled: cell(1.2) })).toMatchObject({ failedGates: [], unmeasuredGates: [] });
    expect(rowOf({ hand: cell(1), compiled: cell(1.9) }).failedGates).toEqual(['ints-all 1000: 1.90 ns, 1.90 × hand; wanted 2 ns, 1.3 ×']);
    expect(rowOf({ hand: cell(1), compiled: cell(1, 6) }).failedGates.join()).toContain('costs differ: 5, 6, not measured, not measured');
  });

  it.each([
    ['generated code', { hand: cell(1) }],
    ['the loop written by hand', { compiled: cell(1) }],
    ['anything', {}],
    ['what is too fast for the clock', { hand: cell(0), compiled: cell(1) }],
  ])('neither holds nor fails without %s', (_, cells) => {
    const { failedGates, unmeasuredGates, text } = rowOf(cells, cell(3));
    expect(failedGates).toEqual([]);
    expect(unmeasuredGates).toHaveLength(1);
    expect(text).toContain('Gate not measured: ints-all 1000');
    expect(text).not.toMatch(/NaN|Infinity|undefined|all hold|missed/);
  });
});
