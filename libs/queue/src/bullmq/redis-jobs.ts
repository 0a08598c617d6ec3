import { randomBytes, randomUUID } from 'node:crypto';
import { chunkBytes, steadyNow, verdictBytes } from '#evaluation';
import type { DocumentSlice } from '#evaluation';
import { isRefusal, LEVELS, pathOfFlow } from '#runner/flow';
import type { Refusal } from '#runner/flow';
import type { BegunJob, DetachedEnd, EvaluationRecord, JobPart, JobStore, PartResult, StoreAnswer } from '../ports.ts';
import { ADD, BEGIN, END, HELD, STORE } from './lua/commands.ts';
import type { AddArguments } from './lua/commands.ts';
import type { AddedJob } from './lua/command.ts';
import { packPart, packRecord, packResult, tallyFields, unpackBegun, unpackPart } from './packing.ts';
import type { BeginAnswer } from './packing.ts';
import { namedJobs } from './redis-line.ts';
import type { JobPlaces } from './redis-line.ts';
import type { RedisStore } from './redis-store.ts';
import { StoredJobs } from './stored-jobs.ts';

/**
 * Maximum number of parts, and maximum size of these parts in bytes, that one step of a submission stores. The limits prevent scripts from
 * blocking the server for long.
 */
const PARTS_A_STEP = 8;
const BYTES_A_STEP = 4 * 1024 * 1024;

type Parts = readonly (readonly DocumentSlice[])[];

/**
 * Store of jobs in Redis. Each operation is one script: an atomic step that may safely be sent twice. All times are measured by the server's
 * clock.
 */
export class RedisJobs extends StoredJobs implements JobStore {
  readonly #store: RedisStore;
  readonly #line: JobPlaces;

  constructor(store: RedisStore, line: JobPlaces) {
    super(store);
    this.#store = store;
    this.#line = line;
  }

  /**
   * Adds a job with its parts, in several steps if one script would block the server for long. If a step is refused, deletes the job, and
   * returns the refusal.
   */
  async submit(record: EvaluationRecord, parts: Parts): Promise<'accepted' | 'exists' | Refusal> {
    const [first = [], ...later] = stepsOf(parts);
    const added = await this.add(record, first, later.length === 0);
    if (added !== 'accepted') return added;
    const forget = (): Promise<unknown> => this.#end(record.id, 'forget');
    try {
      let firstItem = itemsIn(first);
      for (const [i, step] of later.entries()) {
        const answer = await this.append(record.id, firstItem, step, i === later.length - 1);
        if (isRefusal(answer)) {
          await forget();
          return answer;
        }
        // The job ended meanwhile: its reader learns that, and the remaining parts need not be sent.
        if (answer === 'over') return 'accepted';
        firstItem += itemsIn(step);
      }
      return 'accepted';
    } catch (error) {
      // The client gets an error and will not cancel: the part that was sent is ended here.
      await forget().catch(() => undefined);
      throw error;
    }
  }

  /** Adds a job with its first parts. If `isWhole` is true, no other parts follow. Nothing is stored for a refused job. */
  async add(record: EvaluationRecord, parts: Parts, isWhole: boolean): Promise<'accepted' | 'exists' | Refusal> {
    await this.#store.gate.pass();
    this.#store.stirred.notify();
    return (await this.#send({ id: record.id, job: this.#added(record), ...this.#packed(0, parts), isWhole })) as
      | 'accepted'
      | 'exists'
      | Refusal;
  }

  /**
   * Adds the next parts of a job, of which the first begins with the item `firstItem`. If `isWhole` is true, no other parts follow. If a part
   * is refused, the earlier parts stay.
   */
  async append(id: string, firstItem: number, parts: Parts, isWhole: boolean): Promise<'added' | 'over' | Refusal> {
    return (await this.#send({ id, job: undefined, ...this.#packed(firstItem, parts), isWhole })) as 'added' | 'over' | Refusal;
  }

  async begin(id: string): Promise<BegunJob | undefined> {
    this.#store.stirred.notify();
    const begun = await this.#store.scripts.run(BEGIN, { id, nonce: randomUUID() });
    return Array.isArray(begun) ? unpackBegun(this.#store.sealing, begun as unknown as BeginAnswer) : undefined;
  }

  async part({ record: { id }, fence }: BegunJob, part: number): Promise<JobPart | undefined> {
    const { redis, keys, sealing, scripts } = this.#store;
    const field = String(part);
    // The body first: one that is missing although the part has no result afterwards is lost.
    const read = () => Promise.all([redis.hgetBuffer(keys.bodies(id), field), redis.hmget(keys.job(id), 'state', 'fence')]);
    const [body, [state, current]] = await scripts.repairing(read);
    if (state !== 'running' || Number(current) !== fence) return undefined;
    if (body) return unpackPart(sealing, body);
    if ((await redis.hexists(keys.results(id), field)) === 0) await this.#end(id, 'lose');
    return undefined;
  }

  async store({ record: { id }, fence }: BegunJob, { part, bytes, result }: PartResult): Promise<StoreAnswer> {
    const packed = {
      packed: packResult(this.#store.sealing, result),
      bytes: verdictBytes(result),
      celCharge: result.celCharge,
      tally: tallyFields(result.tally),
      ttlMs: this.#store.limits.retentionMs,
    };
    const [answer, end, ...named] = await this.#store.scripts.words(STORE, { id, fence, part, bytes, result: packed });
    // Sent again after a lost reply, the call that ended the job is told so, too.
    this.#conclude(id, end, named);
    return answer as StoreAnswer;
  }

  async held(jobs: readonly BegunJob[]): Promise<readonly boolean[]> {
    if (jobs.length === 0) return [];
    const starts = jobs.map(({ record: { id }, fence }) => ({ id, fence }));
    return (await this.#store.scripts.words(HELD, { starts })).map((answer) => answer === '1');
  }

  async cancel(id: string): Promise<boolean> {
    const [answer, end] = await this.#store.gate.whileAnswering(() => this.#end(id, 'cancel'));
    return answer === 'cancelled' || end === 'cancelled';
  }

  async forget(id: string): Promise<void> {
    await this.#store.gate.whileAnswering(() => this.#end(id, 'forget'));
  }

  async #end(id: string, event: 'cancel' | 'lose' | 'forget'): Promise<readonly string[]> {
    const answer = await this.#store.scripts.words(END, { id, event, nonce: randomUUID() });
    const [, end, level, ...named] = answer;
    const known = LEVELS.find((one) => one === level);
    if (known) void this.#line.remove(id, known);
    this.#conclude(id, end, named);
    return answer;
  }

  async #send(given: AddArguments): Promise<string> {
    const [answer = '', end, ...named] = await this.#store.gate.whileAnswering(() => this.#store.scripts.words(ADD, given));
    this.#conclude(given.id, end, named);
    return answer;
  }

  /** Tells listeners how a job ended by a script of this process, and adds the jobs that the script named to BullMQ. */
  #conclude(id: string, end: string | undefined, named: readonly string[]): void {
    if (named.length > 0) void this.#line.add(namedJobs(named));
    if (end !== undefined && end !== '') this.#store.ended.notify({ id, end: end === 'failed' ? 'lost' : (end as DetachedEnd) });
  }

  /** Returns the arguments of the Lua script `add` that describe a job. */
  #added(record: EvaluationRecord): AddedJob {
    const { evaluations, waitingBytes, resultBytes: results, retentionMs } = this.#store.limits;
    const { limits } = record.flow;
    const { definitions, deadlineAt } = record.settings;
    const leftMs = Math.max(0, deadlineAt - steadyNow());
    return {
      record: packRecord(this.#store.sealing, record),
      born: String(randomBytes(6).readUIntBE(0, 6)),
      flow: pathOfFlow(record.flow),
      ttlMs: Math.round(Math.min(leftMs, retentionMs) + retentionMs),
      retentionMs,
      leftMs,
      definition: definitions.length === 1 ? definitions[0]?.digest : undefined,
      limits: {
        jobs: evaluations,
        bytes: waitingBytes,
        results,
        flowJobs: limits.evaluations,
        flowParts: limits.chunks,
        flowBytes: limits.bytes,
        flowResults: limits.resultBytes,
      },
    };
  }

  /** Returns the arguments of the Lua script `add` that describe consecutive parts. Their keys must live longer than their job. */
  #packed(firstItem: number, parts: Parts): Pick<AddArguments, 'parts' | 'ttlMs'> {
    let next = firstItem;
    const packed = parts.map((items) => {
      const part = { firstItem: next, items };
      next += items.length;
      return { firstItem: part.firstItem, items: items.length, bytes: chunkBytes(items), body: packPart(this.#store.sealing, part) };
    });
    return { parts: packed, ttlMs: 2 * this.#store.limits.retentionMs };
  }
}

const itemsIn = (parts: Parts): number => parts.reduce((sum, items) => sum + items.length, 0);

/** Returns the parts of a job in the steps in which they are stored. */
function stepsOf(parts: Parts): readonly Parts[] {
  const steps: (readonly DocumentSlice[])[][] = [];
  let bytes = 0;
  for (const items of parts) {
    const last = steps.at(-1);
    const size = chunkBytes(items);
    if (last && last.length < PARTS_A_STEP && bytes + size <= BYTES_A_STEP) {
      last.push(items);
      bytes += size;
    } else {
      steps.push([items]);
      bytes = size;
    }
  }
  return steps;
}
