import { describe, expect, it } from 'vitest';
import { JOB_LIFE, EVENTS, FACTS, isLiving, STATES, transitionOf } from './job-life.ts';
import type { JobState, Facts } from './job-life.ts';

const transitions = STATES.flatMap((from) => JOB_LIFE[from].map((transition) => ({ from, ...transition })));
const allFacts: readonly Facts[] = Array.from({ length: 2 ** FACTS.length }, (_, bits) =>
  Object.fromEntries(FACTS.map((fact, i) => [fact, (bits & (1 << i)) !== 0])),
);

describe('the life of a job', () => {
  it.each(STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const)))(
    'defines for the state %s what the event %s does',
    (state, event) => {
      for (const facts of allFacts) expect(transitionOf(state, event, facts).on).toBe(event);
    },
  );

  it('has only transitions that can occur', () => {
    for (const { from, on, when, ...rest } of transitions) {
      const taken = allFacts.some((facts) => {
        const found = transitionOf(from, on, facts);
        return found.to === rest.to && found.when === when;
      });
      expect(taken, `${from} on ${on} when ${when}`).toBe(true);
    }
  });

  it('reaches every state from the state `unknown`, and `unknown` from every state', () => {
    const reached = new Set<JobState>(['unknown']);
    for (const state of reached) for (const { to } of JOB_LIFE[state]) reached.add(to);
    expect([...reached].toSorted()).toEqual([...STATES].toSorted());
    for (const state of STATES) expect(transitionOf(state, 'forget').to).toBe('unknown');
  });

  it('has the effect "open" exactly when a job begins to live, and "close" exactly when it ends', () => {
    for (const { from, to, effects } of transitions) {
      expect(effects.includes('open')).toBe(!isLiving(from) && isLiving(to));
      expect(effects.includes('close')).toBe(isLiving(from) && !isLiving(to));
      if (!isLiving(from)) expect(effects.filter((effect) => ['keep', 'line', 'fence', 'store', 'end'].includes(effect))).toEqual([]);
    }
  });

  it('stores a result only for the last start of the job, and only for a part without a result', () => {
    for (const state of STATES)
      for (const facts of allFacts)
        if (facts.judged || facts.superseded) expect(transitionOf(state, 'store', facts).effects).not.toContain('store');
  });
});
