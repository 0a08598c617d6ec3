import { latestServer } from '#kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkOptions, definitionText } from '#evaluation';
import type { DocumentSlice } from '#evaluation';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../../testing/deep-equality.ts';
import { readAnswer } from '../frames/answer-frame.ts';
import { blockOf, evaluationFrame } from '../frames/evaluation-frame.ts';
import { RUN_LIMITS } from '../limits.ts';
import { ThreadSlot } from './thread-slot.ts';
import type { Piece, SlotAnswer } from './thread-slot.ts';

const schema = {
  type: 'object',
  'x-kubernetes-validations': [{ rule: `!has(self.lists) || ${DEEP_EQUALITY}` }],
  properties: { lists: LISTS, free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
};
const slice = (text: string): DocumentSlice => ({ bytes: Buffer.from(text), notation: 'json' });
const text = definitionText(slice(JSON.stringify(customDefinition({ kind: 'Probe', scope: 'Cluster', schema }))), latestServer());
const options = checkOptions({ costLimits: { perCall: 'unlimited', perObject: 'unlimited' } });
if (!options.ok) throw new Error('options');
const settings = { options: options.value, definitions: [{ digest: text.digest, group: 'example.com', kind: 'Probe' }], refused: [] };

const probe = (name: string, rest: object = {}): string =>
  JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Probe', metadata: { name }, ...rest });
/** Judging it takes longer than any test waits. */
const endless = probe('endless', { lists: equalLists(500) });
/** Parsed, it does not fit into the thread's heap. */
const heavy = `{"apiVersion":"example.com/v1","kind":"Probe","metadata":{"name":"heavy"},"free":{"list":[${'{},'.repeat(1_000_000)}{}]}}`;
const HEAP_MB = 40;

/** A piece, and what became of it: an outcome, or how it ended without one. */
class Probed implements Piece {
  readonly work: Buffer;
  readonly #told = Promise.withResolvers<string>();
  /** How often it was settled. */
  settled = 0;

  constructor(object: string) {
    this.work = blockOf(evaluationFrame(0, { kind: 'evaluate', firstItem: 0, items: [slice(object)], settings }));
  }

  readonly settle = (answer: SlotAnswer): void => {
    this.settled++;
    this.#told.resolve(endOf(answer));
  };

  get end(): Promise<string> {
    return this.#told.promise;
  }
}

function endOf(answer: SlotAnswer): string {
  if (answer.kind === 'broken') return answer.breakage;
  if (answer.kind !== 'evaluated') return answer.kind;
  const [verdict] = readAnswer(answer.answer).result.verdicts;
  return (JSON.parse(verdict ?? '{}') as { outcome: string }).outcome;
}

describe('pieces of work that a thread is given at once', () => {
  let slot: ThreadSlot<Probed>;
  let returned: Probed[];
  let freed: PromiseWithResolvers<void>;

  beforeEach(async () => {
    returned = [];
    freed = Promise.withResolvers();
    slot = new ThreadSlot<Probed>(new Map([[text.digest, text]]), HEAP_MB, {
      freed: () => freed.resolve(),
      gaveBack: (pieces) => returned.push(...pieces),
    });
    // From here on the thread runs, and has what it needs.
    await run(['warm']);
  });
  afterEach(() => slot.end());

  /** Runs objects together; a name stands for an ordinary one. */
  function begin(objects: readonly string[]): Probed[] {
    freed = Promise.withResolvers();
    const pieces = objects.map((object) => new Probed(object.startsWith('{') ? object : probe(object)));
    slot.run(pieces);
    return pieces;
  }
  /** The same, to their ends: what is given back, as while the thread loads, runs again. */
  async function run(objects: readonly string[]): Promise<string[]> {
    const pieces = begin(objects);
    await freed.promise;
    while (returned.length > 0) {
      freed = Promise.withResolvers();
      slot.run(returned.splice(0));
      await freed.promise;
    }
    return Promise.all(pieces.map(({ end }) => end));
  }

  it('are answered each, in one turn', async () => {
    expect(await run(['a', probe('b', { lists: ['x'] }), 'c', 'not JSON'.padStart(20, '{')])).toEqual([
      'accepted',
      'rejected',
      'accepted',
      'rejected',
    ]);
    expect(slot.idle).toBe(true);
  });

  it('are cancelled each alone, before they begin: the one before them runs on', async () => {
    const [first, second, third] = begin(['a', 'b', 'c']) as [Probed, Probed, Probed];
    slot.cancel(second);
    expect(await second.end).toBe('terminated');
    expect([await first.end, await third.end]).toEqual(['accepted', 'accepted']);
    await freed.promise;
    expect([first, second, third].map(({ settled }) => settled)).toEqual([1, 1, 1]);
  });

  it('are cancelled while one runs that does not end: it is not touched, and cancelled later', async () => {
    const [first, second, third] = begin([endless, 'b', 'c']) as [Probed, Probed, Probed];
    slot.cancel(second);
    expect(await second.end).toBe('terminated');
    expect(first.settled).toBe(0);
    slot.cancel(first);
    // The rule heeds the token, or the thread is ended; what is behind it is judged either way.
    expect(await first.end).toMatch(/cancelled|terminated/);
    await freed.promise;
    expect(third.settled + returned.filter((piece) => piece === third).length).toBe(1);
  });

  it('that stand behind a long one are given back, and those before it are answered', async () => {
    const [before, long, behind, last] = begin(['a', endless, 'c', 'd']) as [Probed, Probed, Probed, Probed];
    expect(await before.end).toBe('accepted');
    await expect.poll(() => returned).toEqual([behind, last]);
    expect([long.settled, behind.settled, last.settled]).toEqual([0, 0, 0]);
    slot.cancel(long);
    expect(await long.end).toMatch(/cancelled|terminated/);
    await freed.promise;
    // What was given back has no second life here.
    expect([behind.settled, last.settled]).toEqual([0, 0]);
    returned = [];
    expect(await run(['e'])).toEqual(['accepted']);
  });

  it('among which one ends the thread: it alone is charged, none is lost or judged twice', async () => {
    const pieces = begin(['a', heavy, 'c', 'd']);
    const [before, guilty] = pieces as [Probed, Probed];
    expect(await guilty.end).toBe('out of memory');
    expect(await before.end).toBe('accepted');
    await freed.promise;
    expect(returned).toEqual(pieces.slice(2));
    expect(pieces.map(({ settled }) => settled)).toEqual([1, 1, 0, 0]);
    returned = [];
    expect(await run(['c', 'd'])).toEqual(['accepted', 'accepted']);
  });

  it('have each the whole grace: its time begins when it is cancelled, not when the thread was given it', async () => {
    const [first, long] = begin(['a', endless]) as [Probed, Probed];
    expect(await first.end).toBe('accepted');
    await new Promise((resolve) => setTimeout(resolve, 2 * RUN_LIMITS.graceMs));
    expect(long.settled).toBe(0);
    slot.cancel(long);
    expect(await long.end).toMatch(/cancelled|terminated/);
  });
});
