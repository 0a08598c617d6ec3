import { timeoutStatus } from '#kube';
import type { Minor } from '#kube';
import { chunkSettings, definitionText, inMinor, serverOf, settleNames, splitBatch } from '#evaluation';
import type { DefinitionText, Envelope, Verdict } from '#evaluation';
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
export async function judgeInMinor(engine: Engine, documents: Envelope, minor: Minor, signal?: AbortSignal): Promise<MinorJudgement> {
  const own = { ...documents, options: inMinor(documents.options, minor) };
  const texts = own.definitions.map((slice) => definitionText(slice, serverOf(own.options)));
  const judged = await Promise.all(texts.map((definition) => judge(engine, definition, signal)));
  return { minor, judged, verdicts: await verdictsOf(engine, own, texts, judged, signal) };
}

async function judge(engine: Engine, definition: DefinitionText, signal?: AbortSignal): Promise<JudgedDefinition> {
  const answer = await engine.run({ kind: 'judge', definition, rules: true }, { ...(signal && { signal }) });
  if (answer.kind === 'done') return answer.result;
  return { report: { name: '', digest: definition.digest, accepted: false, status: STOPPED, warnings: [] } };
}

async function verdictsOf(
  engine: Engine,
  { objects, options }: Envelope,
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
