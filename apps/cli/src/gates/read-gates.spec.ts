import { describe, expect, it } from 'vitest';
import { GATE_COMMANDS, GATES, RECOMMENDED } from './gate-list.ts';
import type { GateCommand, GateDeclaration } from './gate-list.ts';
import { failsByRank, gateForms, gateMinors, gateStarts, readGates } from './read-gates.ts';

describe('the grammar of --fail-on', () => {
  it('accepts gates without a bound, and gates with a bound, with spaces or without', () => {
    expect(readGates('diff', 'refused, limit-share > 12.5 %,oldest-minor>1.33')).toEqual({
      ok: true,
      gates: [
        { kind: 'word', name: 'refused', text: 'refused' },
        { kind: 'bound', name: 'limit-share', text: 'limit-share>12.5%', operator: '>', unit: 'percent', bound: 12.5 },
        { kind: 'minor', name: 'oldest-minor', text: 'oldest-minor>1.33', minor: '1.33' },
      ],
    });
    expect(readGates('bench', 'budget<100')).toMatchObject({ gates: [{ operator: '<', unit: 'number', bound: 100 }] });
  });

  it.each<[GateCommand, string, string]>([
    ['evaluate', 'rejected,limit-share>5%', 'limit-share>5%: must be among rejected, not-evaluated, warning.'],
    ['diff', 'cost-worse>5%', 'cost-worse>5%: must be among refused, objects, breaking, estimate-worse>P%,'],
    ['diff', '', ': must be among refused,'],
    ['diff', 'refused>5', 'refused>5: refused is a word without a bound.'],
    ['diff', 'limit-share', 'limit-share: limit-share needs a bound: write limit-share>25%.'],
    ['diff', 'limit-share>5', 'limit-share>5: limit-share is a percentage, such as 10%.'],
    ['diff', 'limit-share<5%', 'limit-share<5%: limit-share fails if it is above its bound: write limit-share>5%.'],
    ['diff', 'oldest-minor>1.2', 'oldest-minor>1.2: 1.2 must be among 1.30, 1.31,'],
    ['bench', 'cost>5%', 'cost>5%: cost is no percentage.'],
    ['what-if', 'broken', 'broken: must be among unaffected, brokenOnUpdate,'],
  ])('rejects %s --fail-on %j, and names the reason', (command, text, error) => {
    const read = readGates(command, text);
    expect(read.ok ? '' : read.error.slice(0, error.length)).toBe(error);
  });

  it.each(GATE_COMMANDS)('accepts the example of each gate of %s', (command) => {
    const gates: readonly GateDeclaration[] = GATES[command];
    const examples = gates.map((gate) => (gate.form === 'word' ? gate.name : `${gate.name}${gate.form}${gate.example}`));
    expect(readGates(command, examples.join(','))).toMatchObject({ ok: true, gates: examples.map((text) => ({ text })) });
    expect(new Set(gateForms(command)).size).toBe(gates.length);
    expect(gateStarts(command)).toHaveLength(gates.length);
  });

  it.each(['diff', 'bench'] as const)('accepts the recommended gates of %s', (command) => {
    expect(readGates(command, RECOMMENDED[command])).toMatchObject({ ok: true });
  });

  it('includes worse findings only for gates that have an order', () => {
    const found = { refused: true, objects: false, breaking: false };
    expect(failsByRank('diff', ['objects'], found)).toBe(true);
    expect(failsByRank('diff', ['refused'], { ...found, refused: false, breaking: true })).toBe(false);
    expect(failsByRank('diff', ['undecided', 'limit-share'], found)).toBe(false);
  });

  it('compares the estimates of all released versions, or only of the chosen ones', () => {
    expect([gateMinors(undefined)[0], gateMinors(undefined).at(-1)]).toEqual(['1.30', '1.37']);
    expect(gateMinors(['1.38', '1.31'])).toEqual(['1.31', '1.38']);
  });
});
