import { timeoutStatus } from '#kube';
import type { Minor } from '#kube';
import { chunkSettings, definitionTexts, inMinor, serverOf, settleNames, splitBatch } from '#evaluation';
import type { DefinitionText, DefinedObjects, Verdict } from '#evaluation';
import type { JudgedDefinition } from '#runner';
import type { Engine } from '../ports.ts';
import { runChunk } from '../run/run-chunk.ts';

/** What one minor says of definitions and objects. */
export interface MinorJudgement {
  readonly minor: Minor;
  readonly judged: readonly JudgedDefinition[];
  readonly verdicts: readonly Verdict[];
}

/** What stands in for a definition that was not judged. */
const STOPPED = timeoutStatus('the definition was not judged', 0, 408);

/** Judges definitions, and the objects against them, as one minor would. */
export async function judgeInMinor(engine: Engine, documents: DefinedObjects, minor: Minor, signal?: AbortSignal): Promise<MinorJudgement> {
  // What is compared is what minors say of an object, not the object itself.
  const own = { ...documents, options: { ...inMinor(documents.options, minor), returnObjects: false, explain: false } };
  const texts = await definitionTexts(own.definitions, serverOf(own.options));
  const judged = await Promise.all(texts.map((definition) => judge(engine, definition, own.options.asSent, signal)));
  return { minor, judged, verdicts: await verdictsOf(engine, own, texts, judged, signal) };
}

async function judge(engine: Engine, definition: DefinitionText, asSent: boolean, signal?: AbortSignal): Promise<JudgedDefinition> {
  const answer = await engine.run({ kind: 'judge', definition, rules: true, asSent }, { ...(signal && { signal }) });
  if (answer.kind === 'done') return answer.result;
  return { report: { name: '', digest: definition.digest, accepted: false, status: STOPPED, warnings: [] } };
}

async function verdictsOf(
  engine: Engine,
  { objects, options }: DefinedObjects,
  texts: readonly DefinitionText[],
  judged: readonly JudgedDefinition[],
  signal?: AbortSignal,
): Promise<Verdict[]> {
  const reports = settleNames(judged.map(({ report }) => report));
  const settings = chunkSettings(reports, { options, deadlineAt: Number.MAX_SAFE_INTEGER, traceparent: undefined });
  const verdicts: Verdict[] = [];
  for (const [index, items] of splitBatch(objects).entries()) {
    const chunk = { evaluation: 'matrix', index, firstItem: verdicts.length, items, settings };
    const { result } = await runChunk(engine, chunk, texts, signal && { signal });
    verdicts.push(...result.verdicts.map((text) => JSON.parse(text) as Verdict));
  }
  return verdicts;
}
