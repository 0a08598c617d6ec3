import { setTimeout as sleep } from 'node:timers/promises';
import { writeJson } from '#go';
import type { JsonObject } from '#go';
import { z } from 'zod';
import type { ApiWriter, ClusterWrite, WriteOutcome } from '../api-writer.ts';
import type { ApiReader } from '../api-reader.ts';
import { read, unread, parsedJson } from '../reading.ts';
import type { ClusterProblem, ClusterReading } from '../reading.ts';
import { TEMPORARY_LABELS, TEMPORARY_MANAGER, temporaryRun } from './copy-definition.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Number of attempts to remove a definition if the server breaks the connection or is busy, and the pause between two attempts in ms. */
const [ATTEMPTS, PAUSE_MS] = [4, 500];

/** Longest times in ms that a client waits for a server. */
export interface Patience {
  /** Time until a created definition is served. */
  readonly servedMs: number;
  /** Time until a removed definition no longer exists. */
  readonly goneMs: number;
  /** Pause between two questions. */
  readonly pollMs: number;
}

/** Patience with a server in ms, if the caller wants no other. */
export const PATIENCE: Patience = { servedMs: 30_000, goneMs: 30_000, pollMs: 200 };

/** Temporary definition in a cluster. */
export interface TemporaryDefinition {
  readonly name: string;
  readonly run: string;
  /** Time of its creation, as the server reports it. */
  readonly createdAt: string | undefined;
}

/** Result of removing temporary definitions. */
export interface Removal {
  /** Names of definitions that no longer exist. */
  readonly removed: readonly string[];
  /** Definitions that still exist, or may still exist, each with the reason. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

const metadata = z.object({
  metadata: z.object({ name: z.string(), uid: z.string().optional(), creationTimestamp: z.string().optional() }),
});
const conditions = z.object({
  status: z
    .object({ conditions: z.array(z.object({ type: z.string(), status: z.string(), message: z.string().optional() })).optional() })
    .optional(),
});

/**
 * Temporary definitions of one run in a cluster. Each created definition, and each definition that the server may have created without an
 * answer, is remembered until {@link removeAll} has removed it.
 */
export class TemporaryDefinitions {
  readonly #writer: ApiWriter;
  readonly #runId: string;
  readonly #patience: Patience;
  /** Names of the definitions that exist or may exist. */
  readonly #names = new Set<string>();

  /**
   * Creates the record of one run, which has no definitions yet.
   *
   * @param runId id of the run, which all its definitions have as a label
   */
  constructor(writer: ApiWriter, runId: string, patience: Partial<Patience> = {}) {
    this.#writer = writer;
    this.#runId = runId;
    this.#patience = { ...PATIENCE, ...patience };
  }

  /** Names of the definitions that exist or may exist. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  /** Creates a definition. Returns its name, or the problem if the server refuses it or gives no answer. */
  async create(copy: JsonObject, signal?: AbortSignal): Promise<ClusterReading<string>> {
    const { name } = metadata.parse(copy).metadata;
    const write = { method: 'POST', path: DEFINITIONS, body: Buffer.from(writeJson(copy)) } as const;
    // From here on, the server may create the definition even if its answer is lost.
    this.#names.add(name);
    const outcome = await this.#writer.write(write, signal);
    if (outcome.kind === 'answered' && outcome.code === 201) return read(name);
    const isCertain = outcome.kind === 'unsent' || (outcome.kind === 'answered' && outcome.code < 500);
    if (isCertain) this.#names.delete(name);
    return { ok: false, problem: problemOf(this.#writer, DEFINITIONS, outcome) };
  }

  /** Waits until the server serves a created definition. Returns the problem if it refuses the names, or needs too long. */
  async untilEstablished(name: string, signal?: AbortSignal): Promise<ClusterReading<string>> {
    const until = performance.now() + this.#patience.servedMs;
    while (performance.now() < until) {
      const answer = await this.#writer.get(pathOf(name), signal);
      if (!answer.ok) return answer;
      const { status } = conditions.safeParse(parsedJson(answer.value)).data ?? {};
      const found = new Map((status?.conditions ?? []).map((one) => [one.type, one] as const));
      if (found.get('Established')?.status === 'True') return read(name);
      const accepted = found.get('NamesAccepted');
      if (accepted?.status === 'False')
        return unread('conflict', `${name}: the server refuses its names: ${accepted.message ?? 'no reason'}`);
      await pause(this.#patience.pollMs, signal);
    }
    return unread('failed', `${name}: the server did not serve the definition within ${this.#patience.servedMs / 1000} s`);
  }

  /**
   * Sends a write of an object of a created definition. Servers answer 404 for some seconds after they report a definition as established.
   * The write is sent again after each 404 until the patience is over. Returns the last outcome.
   */
  async firstWrite(write: ClusterWrite, signal?: AbortSignal): Promise<WriteOutcome> {
    const until = performance.now() + this.#patience.servedMs;
    for (;;) {
      const outcome = await this.#writer.write(write, signal);
      if (outcome.kind !== 'answered' || outcome.code !== 404 || performance.now() > until) return outcome;
      await pause(this.#patience.pollMs, signal);
    }
  }

  /** Removes all definitions of this run. Definitions that could not be removed are kept, so that a second call tries again. */
  async removeAll(): Promise<Removal> {
    const removal = await removeTemporary(
      this.#writer,
      [...this.#names].map((name) => ({ name, run: this.#runId })),
      this.#patience,
    );
    for (const name of removal.removed) this.#names.delete(name);
    return removal;
  }
}

/** Returns all definitions in a cluster that have both labels of temporary definitions, and a group with the id of their run. */
export async function findTemporary(reader: ApiReader, signal?: AbortSignal): Promise<ClusterReading<readonly TemporaryDefinition[]>> {
  const selector = encodeURIComponent(`${TEMPORARY_LABELS.manager}=${TEMPORARY_MANAGER},${TEMPORARY_LABELS.run}`);
  const answer = await reader.get(`${DEFINITIONS}?labelSelector=${selector}`, signal);
  if (!answer.ok) return answer;
  const list = z.object({ items: z.array(z.unknown()) }).safeParse(parsedJson(answer.value));
  if (!list.success) return unread('failed', `${reader.address.name}: the list of definitions cannot be read`);
  return read(
    list.data.items.flatMap((item) => {
      const run = temporaryRun(item);
      const known = metadata.safeParse(item);
      if (run === undefined || !known.success) return [];
      const { name, creationTimestamp: createdAt } = known.data.metadata;
      return [{ name, run, createdAt }];
    }),
  );
}

/**
 * Removes temporary definitions and waits until they no longer exist. Each definition is read first. It is removed only if it is still
 * temporary and of the given run, and by its unique id. After a server that cannot be reached, the rest is left without further attempts.
 */
export async function removeTemporary(
  writer: ApiWriter,
  definitions: readonly Pick<TemporaryDefinition, 'name' | 'run'>[],
  patience: Patience = PATIENCE,
): Promise<Removal> {
  const [removed, left]: [string[], { name: string; why: string }[]] = [[], []];
  let unreachable: string | undefined;
  for (const one of definitions) {
    const problem = unreachable === undefined ? await removeOne(writer, one, patience) : { kind: 'unreachable', sentence: unreachable };
    if (problem === undefined) removed.push(one.name);
    else left.push({ name: one.name, why: problem.sentence });
    if (problem?.kind === 'unreachable') unreachable = problem.sentence;
  }
  return { removed, left };
}

/** Removes one definition. Returns the problem if it still exists or may still exist. Returns undefined if it is gone. */
async function removeOne(
  writer: ApiWriter,
  { name, run }: Pick<TemporaryDefinition, 'name' | 'run'>,
  { goneMs, pollMs }: Patience,
): Promise<ClusterProblem | undefined> {
  const path = pathOf(name);
  let problem: ClusterProblem | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await pause(PAUSE_MS);
    const found = await writer.get(path);
    if (!found.ok && found.problem.kind === 'missing') return undefined;
    if (!found.ok) return found.problem;
    const document = parsedJson(found.value);
    const uid = metadata.safeParse(document).data?.metadata.uid;
    if (temporaryRun(document) !== run) return { kind: 'conflict', sentence: `${name}: it is no temporary definition of the run ${run}` };
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    const body = Buffer.from(JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...preconditions }));
    const outcome = await writer.write({ method: 'DELETE', path, body });
    if (outcome.kind === 'answered' && [200, 202, 404].includes(outcome.code)) return untilGone(writer, name, { goneMs, pollMs });
    problem = problemOf(writer, path, outcome);
    const isPassing = outcome.kind === 'broken' || (outcome.kind === 'answered' && (outcome.code === 429 || outcome.code >= 500));
    if (!isPassing) return problem;
  }
  return problem;
}

async function untilGone(
  reader: ApiReader,
  name: string,
  { goneMs, pollMs }: Pick<Patience, 'goneMs' | 'pollMs'>,
): Promise<ClusterProblem | undefined> {
  const until = performance.now() + goneMs;
  do {
    const found = await reader.get(pathOf(name));
    if (!found.ok) return found.problem.kind === 'missing' ? undefined : found.problem;
    await pause(pollMs);
  } while (performance.now() < until);
  return { kind: 'failed', sentence: `${name}: the server still removes it after ${goneMs / 1000} s` };
}

/** Returns the problem of a write that did not have the wanted result. */
function problemOf(writer: ApiWriter, path: string, outcome: WriteOutcome): ClusterProblem {
  if (outcome.kind === 'answered') return writer.refusal(path, outcome);
  return outcome.kind === 'stopped' ? { kind: 'stopped', sentence: 'it was stopped' } : outcome.problem;
}

const pathOf = (name: string): string => `${DEFINITIONS}/${encodeURIComponent(name)}`;

/** Waits `ms`, or until `signal` is aborted. */
async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined);
}
