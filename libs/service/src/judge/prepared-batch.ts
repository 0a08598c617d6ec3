import { timeoutStatus } from '#kube';
import { chunkSettings, definitionTexts, policyTextOf, serverOf, settleNames } from '#evaluation';
import type { ChunkSettings, DefinitionText, DocumentSlice, Envelope, Verdict } from '#evaluation';
import type { JudgedDefinition } from '#runner';
import type { Engine } from '../ports.ts';
import { oneBlock } from '../evaluate/cut-runs.ts';
import { runChunk } from '../run/run-chunk.ts';
import { runsInOrder } from '../run/runs-in-order.ts';

/** What stands in for a definition that was not judged. */
const STOPPED = timeoutStatus('the definition was not judged', 0, 408);

/** Definitions that are judged and policies that are ready, for items that go to the engine at once, without a queue. */
export interface PreparedBatch {
  /** In the order of the definitions. */
  readonly judged: readonly JudgedDefinition[];
  readonly settings: ChunkSettings;
  /** Texts that the settings name by digest. */
  readonly texts: readonly DefinitionText[];
}

/** How a batch is prepared. */
export interface PreparingOptions {
  /** Whether the report on a definition has the static price of every rule. */
  readonly rules?: boolean;
  /** Stops it: what was not judged until then is answered with the Status that says so. */
  readonly signal?: AbortSignal | undefined;
}

/** Judges the definitions of a batch, each as a server would its creation, and puts them together with the batch's policies. */
export async function prepareBatch(
  engine: Engine,
  { definitions, policies, cluster, options }: Omit<Envelope, 'objects'>,
  { rules = false, signal }: PreparingOptions = {},
): Promise<PreparedBatch> {
  const texts = await definitionTexts(definitions, serverOf(options));
  const judged = await Promise.all(
    texts.map(async (definition): Promise<JudgedDefinition> => {
      const answer = await engine.run({ kind: 'judge', definition, rules, asSent: options.asSent }, { ...(signal && { signal }) });
      if (answer.kind === 'done') return answer.result;
      return { report: { name: '', digest: definition.digest, accepted: false, status: STOPPED, warnings: [] } };
    }),
  );
  const policyText = policies.length === 0 ? undefined : policyTextOf({ policies, cluster }, definitions, serverOf(options));
  const settings = chunkSettings(settleNames(judged.map(({ report }) => report)), {
    options,
    policies: policyText?.digest,
    deadlineAt: Number.MAX_SAFE_INTEGER,
    traceparent: undefined,
  });
  return { judged, settings, texts: policyText === undefined ? texts : [...texts, policyText] };
}

/** The verdicts on a run of items, in their order; what the signal stops ends as cancelled. `firstItem`: the index of the first among all items. */
export async function judgeRun(
  engine: Engine,
  { settings, texts }: PreparedBatch,
  items: readonly DocumentSlice[],
  firstItem: number,
  signal?: AbortSignal,
): Promise<readonly Verdict[]> {
  const chunk = { evaluation: '', index: 0, firstItem, items, settings };
  const { result } = await runChunk(engine, chunk, texts, signal && { signal });
  return result.verdicts.map((text) => JSON.parse(text) as Verdict);
}

/** The verdicts on all objects of a batch, in their order. */
export async function judgeObjects(
  engine: Engine,
  prepared: PreparedBatch,
  objects: readonly DocumentSlice[],
  signal?: AbortSignal,
): Promise<readonly Verdict[]> {
  const runs = runsInOrder(oneBlock(objects), engine.threads, (items, firstItem) => judgeRun(engine, prepared, items, firstItem, signal));
  return (await Array.fromAsync(runs)).flat();
}
