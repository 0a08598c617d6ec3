import { randomBytes, randomUUID } from 'node:crypto';
import { steadyNow } from '#documents';
import { isRefusal, pathOfFlow } from '#runner/flow';
import type { Refusal } from '#runner/flow';
import { LINES, storedIdOf, STUDY_LINE } from '../life/job-kind.ts';
import type { JobKind } from '../life/job-kind.ts';
import type { BegunJob, JobEnd, JobForms, JobStore, PartResult, StoreAnswer } from '../ports.ts';
import { ADD, BEGIN, END, HELD, STORE } from './lua/commands.ts';
import type { AddArguments } from './lua/commands.ts';
import type { AddedJob, AdmissionLimits } from './lua/command.ts';
import { packForm, tallyFields, unpackBegun, unpackForm } from './packing.ts';
import type { BeginAnswer } from './packing.ts';
import { namedJobs } from './redis-lines.ts';
import type { JobPlaces } from './redis-lines.ts';
import type { RedisStore } from './redis-store.ts';
import { StoredJobs } from './stored-jobs.ts';

/**
 * Maximum number of parts, and maximum size of these parts in bytes, that one step of a submission stores. The limits prevent scripts from
 * blocking the server for long.
 */
const PARTS_A_STEP = 8;
const BYTES_A_STEP = 4 * 1024 * 1024;

/** Limits of kinds of jobs that the storage does not limit. */
const NO_LIMITS: AdmissionLimits = Object.freeze({
  jobs: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  results: Number.MAX_SAFE_INTEGER,
  flowJobs: Number.MAX_SAFE_INTEGER,
  flowParts: Number.MAX_SAFE_INTEGER,
  flowBytes: Number.MAX_SAFE_INTEGER,
  flowResults: Number.MAX_SAFE_INTEGER,
});

/**
 * Store of the jobs of one kind in Redis. Each operation is one script: an atomic step that may safely be sent twice. The server's clock
 * measures all times.
 */
export class RedisJobs<Forms extends JobForms> extends StoredJobs<Forms> implements JobStore<Forms> {
  readonly #store: RedisStore;
  readonly #kind: JobKind<Forms>;
  readonly #line: JobPlaces;

  constructor(store: RedisStore, kind: JobKind<Forms>, line: JobPlaces) {
    super(store, kind);
    this.#store = store;
    this.#kind = kind;
    this.#line = line;
  }

  /**
   * Adds a job with its parts, in several steps if one script would block the server for long. If a step is refused, deletes the job, and
   * returns the refusal.
   */
  async submit(record: Forms['record'], parts: readonly Forms['part'][]): Promise<'accepted' | 'exists' | Refusal> {
    const [first = [], ...later] = this.#stepsOf(parts);
    const added = await this.add(record, first, later.length === 0 ? 'whole' : 'partial');
    if (added !== 'accepted') return added;
    const forget = (): Promise<unknown> => this.#end(record.id, 'forget');
    try {
      let firstItem = this.#itemsIn(first);
      for (const [i, step] of later.entries()) {
        const answer = await this.append(record.id, firstItem, step, i === later.length - 1 ? 'whole' : 'partial');
        if (isRefusal(answer)) {
          await forget();
          return answer;
        }
        // The job has ended meanwhile, so it needs no more parts. A reader of the job sees its end.
        if (answer === 'over') return 'accepted';
        firstItem += this.#itemsIn(step);
      }
      return 'accepted';
    } catch (error) {
      // The client gets an error, and so will not cancel the job. So this code deletes the job.
      await forget().catch(() => undefined);
      throw error;
    }
  }

  /** Adds a job with its first parts. If `extent` is `whole`, no other parts follow. Nothing is stored for a refused job. */
  async add(
    record: Forms['record'],
    parts: readonly Forms['part'][],
    extent: 'whole' | 'partial',
  ): Promise<'accepted' | 'exists' | Refusal> {
    await this.#store.gate.pass();
    this.#store.stirred.notify();
    const id = this.#stored(record.id);
    const given = { id, job: this.#added(record), ...this.#packed(0, parts), isWhole: extent === 'whole' };
    return (await this.#send(given)) as 'accepted' | 'exists' | Refusal;
  }

  /**
   * Adds the next parts of a job, of which the first begins with the item `firstItem`. If `extent` is `whole`, no other parts follow. If
   * a part is refused, the earlier parts stay.
   */
  async append(
    id: string,
    firstItem: number,
    parts: readonly Forms['part'][],
    extent: 'whole' | 'partial',
  ): Promise<'added' | 'over' | Refusal> {
    const given = { id: this.#stored(id), job: undefined, ...this.#packed(firstItem, parts), isWhole: extent === 'whole' };
    return (await this.#send(given)) as 'added' | 'over' | Refusal;
  }

  async begin(id: string): Promise<BegunJob<Forms> | undefined> {
    this.#store.stirred.notify();
    const begun = await this.#store.scripts.run(BEGIN, { id: this.#stored(id), nonce: randomUUID() });
    return Array.isArray(begun) ? unpackBegun(this.#store.sealing, this.#kind, begun as unknown as BeginAnswer) : undefined;
  }

  async part({ record, fence }: BegunJob<Forms>, part: number): Promise<Forms['body'] | undefined> {
    const { redis, keys, sealing, scripts } = this.#store;
    const [id, field] = [this.#stored(record.id), String(part)];
    // Reads the body before the state. If the job still runs and the part has no result, then no end and no result has deleted the body. So
    // a missing body is lost.
    const read = () => Promise.all([redis.hgetBuffer(keys.bodies(id), field), redis.hmget(keys.job(id), 'state', 'fence')]);
    const [body, [state, current]] = await scripts.repairing(read);
    if (state !== 'running' || Number(current) !== fence) return undefined;
    if (body) return unpackForm(sealing, this.#kind.body, body);
    if ((await redis.hexists(keys.results(id), field)) === 0) await this.#end(record.id, 'lose');
    return undefined;
  }

  async store({ record, fence }: BegunJob<Forms>, { part, bytes, result, note }: PartResult<Forms>): Promise<StoreAnswer> {
    const { sealing, limits, scripts } = this.#store;
    const { tally, ...charge } = this.#kind.chargeOf(result);
    const packed = {
      packed: packForm(sealing, this.#kind.result, result),
      ...charge,
      tally: tallyFields(tally),
      ttlMs: limits.retentionMs,
      note: note === undefined ? undefined : packForm(sealing, this.#kind.note, note),
    };
    const id = this.#stored(record.id);
    const [answer, end, ...named] = await scripts.words(STORE, { id, fence, part, bytes, result: packed });
    // If the reply is lost, this process repeats the call, and the script returns the same `end` again. So listeners still learn how the job
    // ended.
    this.#conclude(id, end, named);
    return answer as StoreAnswer;
  }

  async note({ record, fence }: BegunJob<Forms>, note: Forms['note']): Promise<boolean> {
    const { sealing, scripts } = this.#store;
    const percent = this.#kind.percentOf(record, note);
    const start = { id: this.#stored(record.id), fence, note: packForm(sealing, this.#kind.note, note), percent };
    return (await scripts.words(HELD, { starts: [start] }))[0] === '1';
  }

  async held(jobs: readonly BegunJob<Forms>[]): Promise<readonly boolean[]> {
    if (jobs.length === 0) return [];
    const starts = jobs.map(({ record: { id }, fence }) => ({ id: this.#stored(id), fence, note: undefined, percent: undefined }));
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
    const stored = this.#stored(id);
    const answer = await this.#store.scripts.words(END, { id: stored, event, nonce: randomUUID() });
    const [, end, line, ...named] = answer;
    const known = LINES.find((one) => one === line);
    if (known) void this.#line.remove(stored, known);
    this.#conclude(stored, end, named);
    return answer;
  }

  async #send(given: AddArguments): Promise<string> {
    const [answer = '', end, ...named] = await this.#store.gate.whileAnswering(() => this.#store.scripts.words(ADD, given));
    this.#conclude(given.id, end, named);
    return answer;
  }

  #stored(id: string): string {
    return storedIdOf(this.#kind, id);
  }

  /** Tells listeners how a job ended by a script of this process, and adds the jobs that the script named to BullMQ. `id` is a stored id. */
  #conclude(id: string, end: string | undefined, named: readonly string[]): void {
    if (named.length > 0) void this.#line.add(namedJobs(named));
    if (end !== undefined && end !== '') this.#store.ended.notify({ id, end: end === 'failed' ? 'lost' : (end as JobEnd) });
  }

  /** Returns the arguments of the Lua script `add` that describe a job. */
  #added(record: Forms['record']): AddedJob {
    const { retentionMs } = this.#store.limits;
    const leftMs = Math.max(0, this.#kind.deadlineOf(record) - steadyNow());
    const isStudy = this.#kind.name === 'study';
    const path = pathOfFlow(record.flow);
    const definitions = this.#kind.definitionsOf(record);
    return {
      record: packForm(this.#store.sealing, this.#kind.record, record),
      born: String(randomBytes(6).readUIntBE(0, 6)),
      flow: isStudy ? `${STUDY_LINE}/${path.slice(path.indexOf('/') + 1)}` : path,
      ttlMs: Math.round((isStudy ? leftMs : Math.min(leftMs, retentionMs)) + retentionMs),
      retentionMs,
      leftMs,
      definition: definitions.length === 1 ? definitions[0] : undefined,
      limits: this.#kind.isLimited ? this.#limitsOf(record) : NO_LIMITS,
    };
  }

  #limitsOf({ flow: { limits } }: Forms['record']): AdmissionLimits {
    const { evaluations, waitingBytes, resultBytes: results } = this.#store.limits;
    return {
      jobs: evaluations,
      bytes: waitingBytes,
      results,
      flowJobs: limits.evaluations,
      flowParts: limits.chunks,
      flowBytes: limits.bytes,
      flowResults: limits.resultBytes,
    };
  }

  /** Returns the arguments of the Lua script `add` that describe consecutive parts. Their keys must live longer than their job. */
  #packed(firstItem: number, parts: readonly Forms['part'][]): Pick<AddArguments, 'parts' | 'ttlMs'> {
    const { body, bodyOf, sizeOf } = this.#kind;
    let next = firstItem;
    const packed = parts.map((part) => {
      const first = next;
      const size = sizeOf(part);
      next += size.items;
      return { firstItem: first, ...size, body: packForm(this.#store.sealing, body, bodyOf(part, first)) };
    });
    return { parts: packed, ttlMs: 2 * this.#store.limits.retentionMs };
  }

  #itemsIn(parts: readonly Forms['part'][]): number {
    return parts.reduce<number>((sum, part) => sum + this.#kind.sizeOf(part).items, 0);
  }

  /** Returns the parts of a job in the steps in which they are stored. */
  #stepsOf(parts: readonly Forms['part'][]): readonly (readonly Forms['part'][])[] {
    const steps: Forms['part'][][] = [];
    let bytes = 0;
    for (const part of parts) {
      const last = steps.at(-1);
      const size = this.#kind.sizeOf(part).bytes;
      if (last && last.length < PARTS_A_STEP && bytes + size <= BYTES_A_STEP) {
        last.push(part);
        bytes += size;
      } else {
        steps.push([part]);
        bytes = size;
      }
    }
    return steps;
  }
}
