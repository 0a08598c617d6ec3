import { describe, expect, it } from 'vitest';
import { latestServer } from '#kube';
import type { Engine, RunAnswer } from '../engine.ts';
import { DEFAULT_FLOW_LIMITS } from '../flow/index.ts';
import type { Work } from '../protocol.ts';
import { FleetEngine } from './fleet-seats.ts';
import type { FleetSeats } from './fleet-seats.ts';

const flow = { level: 'normal', name: 'f', division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS } as const;
/** Returns work with a name, which may leave its process if the name begins with `far`. */
const workOf = (name: string): Work =>
  ({
    kind: 'explain',
    definition: { ...latestServer(), digest: name, slice: { bytes: Buffer.from('{}'), notation: 'json' } },
    fieldValidation: 'Strict',
    stored: undefined,
  }) as unknown as Work;
const nameOf = (work: Work): string => (work.kind === 'explain' ? work.definition.digest : '');

/** Returns an engine with one thread, and one seat elsewhere. Tasks end when the test ends them. */
function fleet() {
  const running = new Map<string, (answer: RunAnswer<never>) => void>();
  const begin = (place: string, work: Work): Promise<RunAnswer<never>> =>
    new Promise((resolve) => running.set(`${place} ${nameOf(work)}`, resolve));
  const own: Engine = { threads: 1, run: (work) => begin('here', work) };
  let isPaused = false;
  const seats = {
    node: 'this node',
    get window() {
      return isPaused ? 0 : 1;
    },
    get hasRoom() {
      return !isPaused && ![...running.keys()].some((name) => name.startsWith('there'));
    },
    run: (work: Work) => begin('there', work),
  } as unknown as FleetSeats;
  const engine = new FleetEngine(own, seats, flow, (work) => nameOf(work).startsWith('far'));
  /** Ends a task. `cancelled` elsewhere means that no process performed it. */
  const end = async (name: string, kind: 'done' | 'cancelled'): Promise<void> => {
    running.get(name)?.({ kind, spentMs: 1, result: name } as unknown as RunAnswer<never>);
    running.delete(name);
    await new Promise(setImmediate);
  };
  return { engine, end, pause: () => (isPaused = true), running: () => [...running.keys()] };
}

describe('the engine of a process in a fleet', () => {
  it('uses its own threads first, and then seats of other processes for work that may be sent to them', async () => {
    const { engine, end, running } = fleet();
    expect(engine.threads).toBe(2);
    const answers = ['far 1', 'far 2', 'far 3', 'near'].map((name) => engine.run(workOf(name)));
    expect(running()).toEqual(['here far 1', 'there far 2', 'here far 3', 'here near']);
    for (const name of running()) await end(name, 'done');
    expect((await Promise.all(answers)).map(({ node }) => node)).toEqual(['this node', undefined, 'this node', 'this node']);
  });

  it('runs work that another process returned, unless the sender stopped the work', async () => {
    const { engine, end, running } = fleet();
    void engine.run(workOf('far 1'));
    const back = engine.run(workOf('far 2'));
    await end('there far 2', 'cancelled');
    expect(running()).toEqual(['here far 1', 'here far 2']);
    await end('here far 2', 'done');
    expect(await back).toMatchObject({ kind: 'done', node: 'this node' });
    const client = new AbortController();
    const stopped = engine.run(workOf('far 3'), { signal: client.signal });
    client.abort();
    await end('there far 3', 'cancelled');
    expect(await stopped).toMatchObject({ kind: 'cancelled' });
    expect(running()).toEqual(['here far 1']);
  });

  it('reports the greatest number of threads so far, even while the other processes are busy', () => {
    const { engine, pause } = fleet();
    expect(engine.threads).toBe(2);
    pause();
    expect(engine.threads).toBe(2);
  });
});
