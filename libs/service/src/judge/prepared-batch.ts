import { internalErrorStatus, timeoutStatus } from '#kube';
import { chunkSettings, definitionTexts, policyTextOf, serverOf, settleNames, textDigests } from '#evaluation';
import type { ChunkResult, ChunkSettings, DefinitionText, DocumentSlice, Envelope, Verdict } from '#evaluation';
import type { JudgedDefinition } from '#runner';
import { eachTextOnce } from './each-text-once.ts';
import type { Engine } from '../ports.ts';
import { oneBlock } from '../evaluate/cut-runs.ts';
import { runChunk } from '../run/run-chunk.ts';
import { runsInOrder } from '../run/runs-in-order.ts';
import type { ItemRun } from '../run/runs-in-order.ts';

/** The Status of a definition that was not judged. */
const STOPPED = timeoutStatus('the definition was not judged', 0, 408);
const GUILTY = internalErrorStatus('this definition ended the engine that judged it');

/** Judged definitions and policies for items that are sent directly to the engine, without a queue. */
export interface PreparedBatch {
  /** Judgements in the order of the batch's definitions. */
  readonly judged: readonly JudgedDefinition[];
  readonly settings: ChunkSettings;
  /** Texts that `settings` references by digest. */
  readonly texts: readonly DefinitionText[];
  /** Text of the policies; undefined if there are none. */
  readonly policies: DefinitionText | undefined;
}

/** Options of the preparation of a batch. */
export interface PreparingOptions {
  /** True if the report on each definition includes the estimated cost of every rule. */
  readonly rules?: boolean;
  /** Signal that stops the preparation. Definitions that were not judged by then get a Status that says they were stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Earlier judgements of the definitions; undefined if the definitions must still be judged. */
  readonly known?: JudgedTexts;
}

/** Texts of definitions and the judgements of one server on them. Both are in the order of the batch. */
export interface JudgedTexts {
  readonly texts: readonly DefinitionText[];
  readonly judged: readonly JudgedDefinition[];
}

/** Returns the substitute judgement for a definition whose judging was cancelled or ended the engine. */
export function insteadOf(why: 'cancelled' | 'broken', { digest }: DefinitionText): JudgedDefinition {
  return { report: { name: '', digest, accepted: false, status: why === 'cancelled' ? STOPPED : GUILTY, warnings: [] } };
}

/** Judges each definition of a batch as a server judges its creation, and combines the definitions with the batch's policies. */
export async function prepareBatch(
  engine: Engine,
  { definitions, policies, cluster, options }: Omit<Envelope, 'objects'>,
  { rules = false, signal, known }: PreparingOptions = {},
): Promise<PreparedBatch> {
  const { texts, judged } = known ?? (await judgeEachOnce(engine, { definitions, options }, rules, signal));
  const policyText = policies.length === 0 ? undefined : policyTextOf({ policies, cluster }, definitions, serverOf(options));
  const settings = chunkSettings(settleNames(judged.map(({ report }) => report)), {
    options,
    policies: policyText?.digest,
    deadlineAt: Number.MAX_SAFE_INTEGER,
    traceparent: undefined,
  });
  const needed = new Set(textDigests(settings));
  const named = [...texts, ...(policyText === undefined ? [] : [policyText])].filter(({ digest }) => needed.has(digest));
  return { judged, settings, texts: named, policies: policyText };
}

async function judgeEachOnce(
  engine: Engine,
  { definitions, options }: Pick<Envelope, 'definitions' | 'options'>,
  rules: boolean,
  signal: AbortSignal | undefined,
): Promise<JudgedTexts> {
  const texts = await definitionTexts(definitions, serverOf(options));
  const judge = async (definition: DefinitionText): Promise<JudgedDefinition> => {
    const answer = await engine.run({ kind: 'judge', definition, rules, asSent: options.asSent }, { ...(signal && { signal }) });
    return answer.kind === 'done' ? answer.result : insteadOf(answer.kind, definition);
  };
  return { texts, judged: await eachTextOnce(texts, judge) };
}

/** Returns the result of a run of items. Items that `signal` stops have the outcome `cancelled`. */
export async function judgeChunk(
  engine: Engine,
  { settings, texts }: PreparedBatch,
  run: ItemRun,
  signal?: AbortSignal,
): Promise<ChunkResult> {
  const chunk = { evaluation: '', index: 0, ...run, settings };
  return (await runChunk(engine, chunk, texts, signal && { signal })).result;
}

/** Returns the verdicts on a run of items, in their order. */
export async function judgeRun(...judged: Parameters<typeof judgeChunk>): Promise<readonly Verdict[]> {
  const { verdicts } = await judgeChunk(...judged);
  return verdicts.map((text) => JSON.parse(text) as Verdict);
}

/** Returns the verdicts on all objects of a batch, in their order. */
export async function judgeObjects(
  engine: Engine,
  prepared: PreparedBatch,
  objects: readonly DocumentSlice[],
  signal?: AbortSignal,
): Promise<readonly Verdict[]> {
  const runs = runsInOrder(oneBlock(objects), engine.threads, (run) => judgeRun(engine, prepared, run, signal));
  return (await Array.fromAsync(runs)).flat();
}
