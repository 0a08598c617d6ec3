import { latestServer } from '#kube';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkOptions, definitionText } from '#documents';
import type { DefinitionText, DocumentSlice } from '#documents';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../../testing/deep-equality.ts';
import { blockOf, evaluationFrame, readAnswer } from '../frames/evaluation-frame.ts';
import { RUN_LIMITS } from '../limits.ts';
import { TASK_STATES } from '../task-life.ts';
import { ThreadSlot } from './thread-slot.ts';
import type { Task, SlotAnswer } from './thread-slot.ts';

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
/** Object whose evaluation takes longer than any test waits. */
const endless = probe('endless', { lists: equalLists(500) });
/** Object that exceeds the thread's heap after parsing. */
const heavy = `{"apiVersion":"example.com/v1","kind":"Probe","metadata":{"name":"heavy"},"free":{"list":[${'{},'.repeat(1_000_000)}{}]}}`;
const HEAP_MB = 40;

/** Task that records its end: the outcome of its object, or the kind of answer if there is no outcome. */
class Probed implements Task {
  readonly work: Buffer;
  readonly #reported = Promise.withResolvers<string>();
  /** Number of times that the task was settled. */
  settled = 0;

  constructor(object: string) {
    this.work = blockOf(evaluationFrame(0, { kind: 'evaluate', firstItem: 0, items: [slice(object)], settings }));
  }

  readonly settle = (answer: SlotAnswer): void => {
    this.settled++;
    this.#reported.resolve(endOf(answer));
  };

  get end(): Promise<string> {
    return this.#reported.promise;
  }
}

function endOf(answer: SlotAnswer): string {
  if (answer.kind === 'broken') return answer.breakage;
  if (answer.kind !== 'evaluated') return answer.kind;
  const [verdict] = readAnswer(answer.answer).result.verdicts;
  return (JSON.parse(verdict ?? '{}') as { outcome: string }).outcome;
}

/** Program of a thread that begins its task and requests a text. It then runs a native call for some seconds, which V8 cannot interrupt. */
const STUCK_THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.once('message', () => {
    new Int32Array(workerData.board.states)[0] = ${TASK_STATES.indexOf('running')};
    parentPort.postMessage({ type: 'need', digests: ['any'] });
    'a'.repeat(600_000).indexOf('a'.repeat(200_000) + 'b' + 'a'.repeat(50_000));
  });
`;

describe('a thread that cannot load its program', () => {
  it('returns its first work as broken after some restarts, and each later work as well', async () => {
    const [first, second] = [new Probed(probe('first')), new Probed(probe('second'))];
    const waiting: Probed[] = [first];
    const freed = (): void => {
      const next = slot.idle ? waiting.shift() : undefined;
      if (next) slot.run([next]);
    };
    const slot: ThreadSlot<Probed> = new ThreadSlot(
      { texts: new Map(), heapMb: HEAP_MB, entry: 'throw new Error()' },
      { freed, gaveBack: (back) => waiting.unshift(...back) },
    );
    freed();
    expect(await first.end).toBe('thread exit');
    waiting.push(second);
    freed();
    expect(await second.end).toBe('thread exit');
    expect([first.settled, second.settled]).toEqual([1, 1]);
    slot.end();
  });
});

describe('a thread that cannot be terminated', () => {
  it('is reported, and replaced at once', async () => {
    const texts = new Map<string, DefinitionText>();
    const begun = vi.spyOn(texts, 'get');
    const slot = new ThreadSlot<Probed>(
      { texts, heapMb: HEAP_MB, entry: STUCK_THREAD },
      { freed: () => undefined, gaveBack: () => undefined },
    );
    const guilty = new Probed(probe('a'));
    slot.run([guilty]);
    await expect.poll(() => begun.mock.calls).toEqual([['any']]);
    slot.cancel(guilty);
    await expect.poll(() => slot.idle).toBe(true);
    expect(await guilty.end).toBe('stuck');
    expect(guilty.settled).toBe(1);
    slot.end();
  });
});

it('a thread is idle as soon as its result is known', async () => {
  const slot = new ThreadSlot({ texts: new Map(), heapMb: HEAP_MB }, { freed: () => undefined, gaveBack: () => undefined });
  const work = { kind: 'documents', bytes: Buffer.from(probe('one')), notation: 'yaml', limits: { definitions: 1, objects: 1 } } as const;
  const { promise, resolve } = Promise.withResolvers<SlotAnswer>();
  slot.run([{ work, settle: resolve }]);
  expect((await promise).kind).toBe('done');
  expect(slot.idle).toBe(true);
  slot.end();
});

describe('tasks that are sent to a thread together', () => {
  let slot: ThreadSlot<Probed>;
  /** Tasks that the slot gave back without an answer. A task that is given back twice occurs twice. */
  let returned: Probed[];
  /** Tasks that the slot gave back and that are run again when the slot is idle, as in the engine host. */
  let inHand: Probed[];

  beforeAll(() => {
    slot = new ThreadSlot<Probed>(
      { texts: new Map([[text.digest, text]]), heapMb: HEAP_MB },
      {
        freed: () => {
          if (inHand.length > 0) slot.run(inHand.splice(0));
        },
        gaveBack: (tasks) => {
          returned.push(...tasks);
          inHand.unshift(...tasks);
        },
      },
    );
  });
  beforeEach(async () => {
    inHand = [];
    // A previous test may have ended the thread. This task starts it, so that the next test finds it running.
    await Promise.all(begin(['warm']).map(({ end }) => end));
    await expect.poll(() => slot.idle).toBe(true);
    returned = [];
  });
  afterAll(() => slot.end());

  /** Runs objects together on the slot. A string that does not begin with `{` is the name of an ordinary object. */
  function begin(objects: readonly string[]): Probed[] {
    const tasks = objects.map((object) => new Probed(object.startsWith('{') ? object : probe(object)));
    slot.run(tasks);
    return tasks;
  }

  /**
   * Cancels a task, and repeats the call until the task is settled, because the slot may have given the task back. Returns the task's end.
   */
  async function cancel(task: Probed): Promise<string> {
    await expect.poll(() => (slot.cancel(task), task.settled), { interval: 50 }).toBe(1);
    return task.end;
  }

  /** Returns the ends of tasks. Expects that each task was settled exactly once. */
  async function endsOf(tasks: readonly Probed[]): Promise<string[]> {
    const ends = await Promise.all(tasks.map(({ end }) => end));
    await expect.poll(() => slot.idle).toBe(true);
    expect(tasks.map(({ settled }) => settled)).toEqual(tasks.map(() => 1));
    return ends;
  }

  it('have separate answers', async () => {
    const tasks = begin(['a', probe('b', { lists: ['x'] }), 'c', 'not JSON'.padStart(20, '{')]);
    expect(await endsOf(tasks)).toEqual(['accepted', 'rejected', 'accepted', 'rejected']);
  });

  it('can be cancelled one by one before they begin, while the thread evaluates the others', async () => {
    // The first object takes a few ms, so that the second has not begun when it is cancelled.
    const tasks = begin([probe('a', { lists: equalLists(60) }), 'b', 'c']);
    slot.cancel(tasks[1] as Probed);
    expect(await endsOf(tasks)).toEqual(['accepted', 'terminated', 'accepted']);
  });

  it('can be cancelled while they wait behind an endless task, and the endless task, too', async () => {
    const tasks = begin([endless, 'b', 'c']);
    const [first, second] = tasks as [Probed, Probed];
    slot.cancel(second);
    expect(await second.end).toBe('terminated');
    expect(first.settled).toBe(0);
    // The rule may see the token in time. Otherwise, the thread is ended.
    expect(await cancel(first)).toMatch(/cancelled|terminated/);
    expect((await endsOf(tasks))[2]).toBe('accepted');
  });

  it('return to the queue if they wait behind a long task, and those before it have their answers', async () => {
    const tasks = begin(['a', endless, 'c', 'd']);
    const [before, long, behind, last] = tasks as [Probed, Probed, Probed, Probed];
    expect(await before.end).toBe('accepted');
    await expect.poll(() => returned).toEqual(expect.arrayContaining([behind, last]));
    expect([long.settled, behind.settled, last.settled]).toEqual([0, 0, 0]);
    expect(await cancel(long)).toMatch(/cancelled|terminated/);
    expect((await endsOf(tasks)).slice(2)).toEqual(['accepted', 'accepted']);
  });

  it('are all answered once if one of them ends the thread, and only this one gets an error', async () => {
    const tasks = begin(['a', heavy, 'c', 'd']);
    expect(await endsOf(tasks)).toEqual(['accepted', 'out of memory', 'accepted', 'accepted']);
    expect(returned).toEqual(expect.arrayContaining(tasks.slice(2)));
  });

  it("have the full grace period from their cancellation, not from the start of the thread's work", async () => {
    const [first, long] = begin(['a', endless]) as [Probed, Probed];
    expect(await first.end).toBe('accepted');
    await new Promise((resolve) => setTimeout(resolve, 2 * RUN_LIMITS.graceMs));
    expect(long.settled).toBe(0);
    expect(await cancel(long)).toMatch(/cancelled|terminated/);
  });
});
