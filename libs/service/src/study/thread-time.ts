import type { ThreadTimeStore } from '#jobs';
import type { StudyRecord } from './study-life.ts';

/** Returns the name of the client that is charged for thread time: its access key, or its flow if the service requires no key. */
export const chargedClient = ({ owner, flow }: Pick<StudyRecord, 'owner' | 'flow'>): string =>
  owner === undefined ? `flow ${flow.name}` : `key ${owner}`;

/** Returns the UTC day of a time in epoch ms, as `YYYY-MM-DD`. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Returns the number of seconds until the end of the UTC day, at least 1. */
export function secondsLeftOfDay(now: number): number {
  const end = Date.parse(`${dayOf(now)}T00:00:00Z`) + 86_400_000;
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** Record of the thread time (time on engine threads) that the studies of each client have used on the current UTC day. */
export class ThreadTime {
  readonly #store: ThreadTimeStore;
  readonly #now: () => number;

  constructor(store: ThreadTimeStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Returns the thread time in ms that a client used today. */
  spent(client: string): Promise<number> {
    return this.#store.charged(dayOf(this.#now()), client);
  }

  charge(client: string, ms: number): Promise<void> {
    return this.#store.charge(dayOf(this.#now()), client, ms);
  }
}
