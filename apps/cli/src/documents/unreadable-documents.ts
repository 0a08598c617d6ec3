import { z } from 'zod';
import type { DocumentSlice, EvaluationOptions } from '#documents';
import type { Engine } from '#runner';
import { prepareUnqueued } from '#service';
import type { ReportProblem } from '../files/file-problem.ts';
import type { PlacedDocument } from './read-documents.ts';

const verdict = z.object({ index: z.int(), outcome: z.string(), status: z.object({ message: z.string() }).optional() });

/** Document that cannot be read: its position among the given documents, and the error. */
export interface UnreadableDocument {
  readonly index: number;
  readonly problem: string;
}

/**
 * Returns the documents that cannot be read. A document with a mistake in its YAML is among the objects of a text, also if it should be a
 * definition. Without definitions, no server refuses a readable object.
 */
export async function unreadableDocuments(
  objects: readonly DocumentSlice[],
  options: EvaluationOptions,
  engine: Engine,
): Promise<readonly UnreadableDocument[]> {
  if (objects.length === 0) return [];
  const prepared = await prepareUnqueued(engine, { definitions: [], policies: [], cluster: [], options });
  if (prepared.kind !== 'answered') return [];
  const found: UnreadableDocument[] = [];
  for await (const { verdicts } of prepared.answer.judge(objects))
    for (const text of verdicts) {
      const { index, outcome, status } = verdict.parse(JSON.parse(text));
      if (outcome === 'rejected') found.push({ index, problem: status?.message ?? 'the document cannot be read' });
    }
  return found;
}

/** Reports the documents that cannot be read. A definition among them would otherwise look removed. */
export async function reportUnreadable(
  objects: readonly PlacedDocument[],
  options: EvaluationOptions,
  engine: Engine,
  report: ReportProblem,
): Promise<void> {
  for (const { index, problem } of await unreadableDocuments(
    objects.map(({ slice }) => slice),
    options,
    engine,
  ))
    report(`${objects[index]?.source ?? ''}: ${problem}`);
}
