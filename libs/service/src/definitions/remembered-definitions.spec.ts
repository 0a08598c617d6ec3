import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { latestServer } from '#kube';
import type { DefinitionText } from '#documents';
import type { DefinitionHolder, DefinitionStore } from '#jobs';
import type { Refusal } from '#runner/flow';
import { flowOf } from '../../../jobs/test/evaluations.ts';
import { RememberedDefinitions } from './remembered-definitions.ts';

const HOUR_MS = 3_600_000;
const text: DefinitionText = { ...latestServer(), digest: 'd', slice: { bytes: new Uint8Array(3), notation: 'json' } };
const holder: DefinitionHolder = { flow: flowOf('f'), leftMs: HOUR_MS };

describe('definitions that requests to a process use', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Returns a store that counts its calls. The test can make the store unavailable or full. */
  function scene() {
    const texts = new Map<string, DefinitionText>();
    const state = { now: 1_000_000, isAway: false, refusal: undefined as Refusal | undefined };
    const requested: string[] = [];
    const answer = <One>(call: string, act: () => One): Promise<One> => {
      requested.push(call);
      return state.isAway ? Promise.reject(new Error('away')) : Promise.resolve(act());
    };
    const store: DefinitionStore = {
      put: (one, { leftMs }) =>
        answer(`put for ${leftMs}`, () => {
          if (state.refusal === undefined) texts.set(one.digest, one);
          return state.refusal;
        }),
      get: (digest) => answer(`get ${digest}`, () => texts.get(digest)),
    };
    const remembered = new RememberedDefinitions(store, () => state.now);
    const pass = async (ms: number): Promise<void> => {
      state.now += ms;
      await vi.advanceTimersByTimeAsync(ms);
    };
    return { remembered, state, requested, texts, pass };
  }

  it('are stored once, for a minute longer than requested, and are not read from the store', async () => {
    const { remembered, requested } = scene();
    await remembered.put(text, holder);
    for (let i = 0; i < 3; i++) {
      expect(await remembered.get('d')).toBe(text);
      expect(await remembered.put(text, holder)).toBeUndefined();
    }
    expect(requested).toEqual([`put for ${HOUR_MS + 60_000}`]);
  });

  it('are extended once for several uses, a second later, when the additional minute is nearly over', async () => {
    const { remembered, requested, pass } = scene();
    await remembered.put(text, holder);
    await pass(56_000);
    for (let i = 0; i < 3; i++) await remembered.put(text, holder);
    expect(requested).toHaveLength(1);
    await pass(1000);
    expect(requested).toHaveLength(2);
    await pass(10_000);
    expect(requested).toHaveLength(2);
  });

  it('are extended when the store answers again, and stored again if the store is empty', async () => {
    const { remembered, state, requested, texts, pass } = scene();
    await remembered.put(text, holder);
    await pass(60_000);
    state.isAway = true;
    await remembered.put(text, holder);
    await pass(3000);
    expect(requested.length).toBeGreaterThan(2);
    state.isAway = false;
    texts.clear();
    await pass(1000);
    expect(texts.get('d')).toBe(text);
    expect(await remembered.get('d')).toBe(text);
  });

  it('are forgotten if they are not used for the requested time', async () => {
    const { remembered, texts, pass } = scene();
    await remembered.put(text, holder);
    texts.clear();
    await pass(HOUR_MS + 60_001);
    expect(await remembered.get('d')).toBeUndefined();
  });

  it('are not remembered if the store rejects them', async () => {
    const { remembered, state, requested } = scene();
    state.refusal = 'flow-definitions';
    expect(await remembered.put(text, holder)).toBe('flow-definitions');
    expect(await remembered.put(text, holder)).toBe('flow-definitions');
    expect(requested).toHaveLength(2);
  });
});
