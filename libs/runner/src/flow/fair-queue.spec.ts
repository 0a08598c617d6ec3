import { describe, expect, it } from 'vitest';
import { seededWhole } from '../../../../testing/seeded-random.ts';
import { FairQueue } from './fair-queue.ts';
import type { PickedEntry } from './fair-queue.ts';
import { seatsPerFlow } from './flow.ts';
import type { QueueKey } from './flow.ts';

interface Work {
  readonly items: number;
  readonly bytes: number;
  readonly evaluation: string;
  /** Actual time that the work takes, in ms. */
  readonly takes: number;
  /** Virtual time in ms at which the work was submitted. */
  readonly at: number;
}

const place = (flow: string, evaluation: string, rest: Partial<QueueKey> = {}): QueueKey => ({
  level: 'normal',
  flow,
  division: '',
  weight: 1,
  leaf: evaluation,
  ...rest,
});

/**
 * Simulation, in virtual time, of a fair queue that serves a number of engine threads. An hour of load is simulated quickly and always
 * gives the same result.
 */
class Simulation {
  readonly queue = new FairQueue<Work>();
  readonly waits = new Map<string, number[]>();
  readonly served = new Map<string, number>();
  readonly #seats: number;
  readonly #busy: { readonly picked: PickedEntry<Work>; readonly until: number }[] = [];
  now = 0;

  constructor(seats: number) {
    this.#seats = seats;
  }

  submit(at: QueueKey, chunks: number, guessMs: number, takes: (chunk: number) => number): void {
    this.queue.add(at, guessMs);
    for (let i = 0; i < chunks; i++) this.queue.enqueue(at, { items: 1, bytes: 0, evaluation: at.leaf, takes: takes(i), at: this.now });
  }

  /** Advances the virtual time to `until`. Free seats take the next work from the queue. */
  run(until: number): void {
    for (;;) {
      while (this.#busy.length < this.#seats) {
        const picked = this.queue.pick(seatsPerFlow(this.#seats));
        if (!picked) break;
        const { flow } = picked.queueKey;
        const waits = this.waits.get(flow) ?? [];
        waits.push(this.now - picked.entry.at);
        this.waits.set(flow, waits);
        this.#busy.push({ picked, until: this.now + picked.entry.takes });
      }
      this.#busy.sort((a, b) => a.until - b.until);
      const next = this.#busy[0];
      if (!next || next.until > until) break;
      this.#busy.shift();
      this.now = next.until;
      const { flow } = next.picked.queueKey;
      this.served.set(flow, (this.served.get(flow) ?? 0) + next.picked.entry.takes);
      this.queue.finish(next.picked, next.picked.entry.takes);
    }
    this.now = until;
  }

  share(flow: string): number {
    return this.served.get(flow) ?? 0;
  }
}

describe('the fair queue', () => {
  it('serves tasks in the order of the worked example (docs/explanation/flow-control.md)', () => {
    const queue = new FairQueue<Work>();
    const work = (evaluation: string, items: number): Work => ({ items, bytes: 0, evaluation, takes: items, at: 0 });
    const served: string[] = [];
    const serve = (): void => {
      const picked = queue.pick(Infinity);
      if (!picked) return;
      served.push(picked.entry.evaluation);
      queue.finish(picked, picked.cost);
    };
    const [a, s] = [place('A', 'a'), place('S', 's')];
    queue.add(a, 1);
    queue.add(s, 1);
    for (let i = 0; i < 4; i++) queue.enqueue(a, work('A', 20));
    serve();
    queue.enqueue(s, work('S', 2));
    serve();
    serve();
    queue.enqueue(s, work('S', 2));
    serve();
    serve();
    expect(served).toEqual(['A', 'S', 'A', 'S', 'A']);
  });

  it.each([1, 2, 8])('does not let a batch of 100,000 objects starve single objects, with engine threads: %i', (seats) => {
    const simulation = new Simulation(seats);
    // 400 chunks of 250 objects take 50 ms each. One single object of 2 ms comes every 70 ms.
    simulation.submit(place('big', 'big'), 400, 50, () => 50);
    for (let i = 0; simulation.now < 15_000 / seats; i++) {
      simulation.submit(place('small', `small${i}`), 1, 2, () => 2);
      simulation.run(simulation.now + 70);
    }
    const waits = (simulation.waits.get('small') ?? []).toSorted((x, y) => x - y);
    expect(waits.length).toBeGreaterThan(20);
    // A single object waits only for running chunks, not for other chunks of the batch.
    expect(waits.at(-1)).toBeLessThanOrEqual(50);
    expect(simulation.share('big')).toBeGreaterThan(0.85 * simulation.now * seats);
  });

  it('does not let single objects starve a batch of the same flow, even if each is a new evaluation', () => {
    const simulation = new Simulation(1);
    simulation.submit(place('one', 'big'), 400, 20, () => 20);
    const shares = { big: 0, small: 0 };
    simulation.submit(place('one', 'small'), 1, 5, () => 5);
    for (let i = 0; i < 300; i++) {
      const picked = simulation.queue.pick(Infinity);
      if (!picked) break;
      // After each single object, the next one comes as a new evaluation.
      if (picked.entry.evaluation !== 'big') simulation.submit(place('one', `small${i}`), 1, 5, () => 5);
      shares[picked.entry.evaluation === 'big' ? 'big' : 'small'] += picked.entry.takes;
      simulation.queue.finish(picked, picked.entry.takes);
    }
    expect(shares.big).toBeGreaterThan(0.4 * (shares.big + shares.small));
    expect(shares.small).toBeGreaterThan(0.4 * (shares.big + shares.small));
  });

  it.each([
    ['right', 1, 1],
    ['ten times too low for one', 0.1, 1],
    ['ten times too high for one', 10, 1],
    ['wrong for both', 0.05, 20],
  ])('gives two flows with waiting work equal shares, whatever the size of their chunks: estimated times %s', (_, wrongA, wrongB) => {
    const simulation = new Simulation(2);
    simulation.submit(place('A', 'a'), 2000, 20 * wrongA, () => 20);
    simulation.submit(place('B', 'b'), 300, 200 * wrongB, () => 200);
    simulation.run(20_000);
    const [a, b] = [simulation.share('A'), simulation.share('B')];
    // The shares may differ by one chunk of each flow, and by the wrong guesses before the first chunk ended.
    expect(Math.abs(a - b)).toBeLessThan(0.05 * (a + b));
    expect(a + b).toBeGreaterThan(0.98 * 2 * simulation.now);
  });

  it('lets single objects wait for at most one chunk of each other flow, even if all estimated times are wrong', () => {
    const random = seededWhole(7);
    const simulation = new Simulation(2);
    for (const flow of ['A', 'B', 'C']) simulation.submit(place(flow, flow), 3000, 1 + random(100), () => 10 + random(90));
    for (let i = 0; simulation.now < 30_000; i++) {
      simulation.submit(place('small', `s${i}`), 1, 40, () => 2);
      simulation.run(simulation.now + 150);
    }
    const waits = (simulation.waits.get('small') ?? []).toSorted((x, y) => x - y);
    expect(waits.at(-1)).toBeLessThanOrEqual(100 + (3 * 100) / 2);
    expect(waits[waits.length >> 1]).toBeLessThanOrEqual(50);
    const shares = ['A', 'B', 'C'].map((flow) => simulation.share(flow));
    expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(1.1);
  });

  it('gives a flow with divisions the same share as one without', () => {
    const simulation = new Simulation(1);
    for (let i = 0; i < 9; i++) simulation.submit(place('many', `m${i}`, { division: `d${i}` }), 200, 10, () => 10);
    simulation.submit(place('one', 'o'), 400, 10, () => 10);
    simulation.run(6000);
    expect(simulation.share('many')).toBeCloseTo(simulation.share('one'), -2);
  });

  it('lets a flow continue after one chunk took a million times its estimate', () => {
    const simulation = new Simulation(1);
    simulation.submit(place('A', 'a'), 500, 1, (i) => (i === 0 ? 1_000_000 : 10));
    simulation.run(1_000_000);
    simulation.submit(place('B', 'b'), 20_000, 10, () => 10);
    simulation.run(1_200_000);
    // The flow A owes at most 60 s for its long first chunk. After that time, both flows share the thread again.
    expect(simulation.queue.pick(Infinity)).toBeDefined();
    expect(simulation.share('A')).toBeGreaterThan(1_000_000 + 4000);
  });

  it('removes all chunks of an evaluation at once', () => {
    const queue = new FairQueue<Work>();
    const at = place('A', 'a');
    queue.add(at, 1);
    for (let i = 0; i < 1000; i++) queue.enqueue(at, { items: 1, bytes: 0, evaluation: 'a', takes: 1, at: 0 });
    expect(queue.remove(at)).toHaveLength(1000);
    expect(queue.pick(Infinity)).toBeUndefined();
  });
});
