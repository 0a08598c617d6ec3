import type { Minor } from '#kube';
import { inMinor } from '#evaluation';
import type { Envelope, Verdict } from '#evaluation';
import type { JudgedDefinition } from '#runner';
import { judgeObjects, prepareBatch } from '../judge/prepared-batch.ts';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

/** What one minor says of definitions and objects. */
export interface MinorJudgement {
  readonly minor: Minor;
  readonly judged: readonly JudgedDefinition[];
  readonly verdicts: readonly Verdict[];
}

/** Judges the objects against the policies and the definitions, of which `known` says what the minor thinks, as that minor would. */
export async function judgeInMinor(
  engine: Engine,
  documents: Envelope,
  minor: Minor,
  known: JudgedTexts,
  signal?: AbortSignal,
): Promise<MinorJudgement> {
  // What is compared is what minors say of an object, not the object itself.
  const options = { ...inMinor(documents.options, minor), returnObjects: false, explain: false };
  const prepared = await prepareBatch(engine, { ...documents, options }, { signal, known });
  return { minor, judged: prepared.judged, verdicts: await judgeObjects(engine, prepared, documents.objects, signal) };
}
