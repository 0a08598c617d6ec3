import { describe, expect, it } from 'vitest';
import { EVALUATION_LIFE, EVENTS, FACTS, isLiving, STATES, transitionOf } from './evaluation-life.ts';
import type { EvaluationState, Facts } from './evaluation-life.ts';

const transitions = STATES.flatMap((from) => EVALUATION_LIFE[from].map((transition) => ({ from, ...transition })));
const allFacts: readonly Facts[] = Array.from({ length: 2 ** FACTS.length }, (_, bits) =>
  Object.fromEntries(FACTS.map((fact, i) => [fact, (bits & (1 << i)) !== 0])),
);

describe('the life of an evaluation', () => {
  it.each(STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const)))('%s knows what to do on %s', (state, event) => {
    for (const facts of allFacts) expect(transitionOf(state, event, facts).on).toBe(event);
  });

  it('names no transition that can never be taken', () => {
    for (const { from, on, when, ...rest } of transitions) {
      const taken = allFacts.some((facts) => {
        const found = transitionOf(from, on, facts);
        return found.to === rest.to && found.when === when;
      });
      expect(taken, `${from} on ${on} when ${when}`).toBe(true);
    }
  });

  it('reaches every state from `unknown`, and `unknown` from every state', () => {
    const reached = new Set<EvaluationState>(['unknown']);
    for (const state of reached) for (const { to } of EVALUATION_LIFE[state]) reached.add(to);
    expect([...reached].toSorted()).toEqual([...STATES].toSorted());
    for (const state of STATES) expect(transitionOf(state, 'forget').to).toBe('unknown');
  });

  it('opens and closes an evaluation exactly where it begins and ceases to live', () => {
    for (const { from, to, effects } of transitions) {
      expect(effects.includes('open')).toBe(!isLiving(from) && isLiving(to));
      expect(effects.includes('close')).toBe(isLiving(from) && !isLiving(to));
      if (!isLiving(from)) expect(effects.filter((effect) => ['queue', 'lend', 'store', 'requeue', 'end'].includes(effect))).toEqual([]);
    }
  });

  it('stores a result for nobody but the holder of a lease whose chunk has none', () => {
    for (const state of STATES)
      for (const facts of allFacts)
        if (facts.judged || facts.superseded) expect(transitionOf(state, 'commit', facts).effects).not.toContain('store');
  });
});
