import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Status } from '#kube';
import type { MayRead } from '#service';
import { readableBy } from '../access/client.ts';
import { clientGone } from '../caller.ts';
import { readable } from '../evaluations/write-answer.ts';
import { StatusFailure } from '../status.filter.ts';
import { setTimeout } from 'node:timers/promises';

/** Jobs of one kind, and how clients see them. */
export interface ShownJobs<Job> {
  readonly jobs: {
    find(id: string, mayRead: MayRead): Promise<Job | undefined>;
    changed(id: string, signal: AbortSignal): Promise<void>;
    remove(id: string): Promise<void>;
  };
  /** Returns the present phase of a job. */
  readonly phaseOf: (job: Job) => string;
  /** Returns the state of a job in the form of answers. */
  readonly stateOf: (job: Job) => object;
  /**
   * Returns Status 404 for a job that does not exist, or that the client may not read. The two cases have the same answer, so that the client
   * cannot find out if the job exists.
   */
  readonly unknown: (id: string) => Status;
}

/** Phases in which a job is not over. */
const OPEN: readonly string[] = ['waiting', 'receiving', 'running'];

/** Controller for jobs of one kind: work that continues after the request that started it. Subclasses have the routes. */
export abstract class JobsController<Job> {
  readonly #shown: ShownJobs<Job>;

  constructor(shown: ShownJobs<Job>) {
    this.#shown = shown;
  }

  /**
   * Returns a job that the client may read. Throws the same 404 failure if the job does not exist and if the client may not read it.
   */
  protected async owned(request: FastifyRequest, id: string): Promise<Job> {
    const job = await this.#shown.jobs.find(id, readableBy(request));
    if (job === undefined) throw new StatusFailure(this.#shown.unknown(id));
    return job;
  }

  /** Sends the progress of a job as server-sent events. */
  protected async sendEvents(request: FastifyRequest, id: string, reply: FastifyReply): Promise<void> {
    await this.owned(request, id);
    const events = jobEvents(this.#shown, id, readableBy(request), clientGone(reply));
    void reply.type('text/event-stream').send(await readable(events));
  }

  /** Cancels a job of the client, or deletes it if it is over. */
  protected async removeOwned(request: FastifyRequest, id: string): Promise<void> {
    await this.owned(request, id);
    await this.#shown.jobs.remove(id);
  }
}

/**
 * Yields server-sent events about a job: its state after each change, and a last event. The last event is named after the final phase of the
 * job. If the job was deleted or expired, the last event is `failed`, with a 404.
 */
export function jobEvents<Job>(
  { jobs, phaseOf, stateOf, unknown }: ShownJobs<Job>,
  id: string,
  mayRead: MayRead,
  signal: AbortSignal,
): AsyncGenerator<string> {
  return serverEvents(
    async () => {
      const job = await jobs.find(id, mayRead);
      if (job === undefined) return { event: 'failed', data: unknown(id), isLast: true };
      const phase = phaseOf(job);
      const isLast = !OPEN.includes(phase);
      return { event: isLast ? phase : 'progress', data: stateOf(job), isLast };
    },
    () => jobs.changed(id, signal),
    signal,
  );
}

/** Shortest interval between two events, in ms. */
const EVENT_INTERVAL_MS = 100;

/** Server-sent event: its name, its data, and a flag that is true for the last event of a stream. */
interface ServerEvent {
  readonly event: string;
  /** Data of the event, sent as JSON. */
  readonly data: unknown;
  readonly isLast: boolean;
}

/**
 * Yields server-sent events until the last event, or until the client disconnects.
 *
 * @param read reads the present state as an event
 * @param changed resolves at the next change of the state, and if the signal is aborted
 */
async function* serverEvents(read: () => Promise<ServerEvent>, changed: () => Promise<void>, signal: AbortSignal): AsyncGenerator<string> {
  for (;;) {
    // The subscription begins before the read, so that the loop misses no change.
    const change = changed();
    const { event, data, isLast } = await read();
    if (signal.aborted) return;
    yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    if (isLast) return;
    await change;
    await setTimeout(EVENT_INTERVAL_MS);
  }
}
