import type { VerdictCauses } from '#evaluation';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

/**
 * Explains for each definition why neighbouring Kubernetes minor versions have different verdicts on its creation. `columns` contains the
 * verdicts of each minor version, in the order of the minor versions. The result has an entry for each definition; the entry is empty if all
 * minor versions agree. If the engine breaks or the work is cancelled, the causes are missing.
 */
export async function findCauses(
  engine: Engine,
  columns: readonly JudgedTexts[],
  signal?: AbortSignal,
): Promise<readonly (readonly VerdictCauses[])[]> {
  const definitions = columns[0]?.texts ?? [];
  return Promise.all(definitions.map((_, i) => causesOf(engine, columns, i, signal)));
}

async function causesOf(
  engine: Engine,
  columns: readonly JudgedTexts[],
  i: number,
  signal?: AbortSignal,
): Promise<readonly VerdictCauses[]> {
  const found: VerdictCauses[] = [];
  for (const [m, column] of columns.entries()) {
    const [before, text] = [columns[m - 1], column.texts[i]];
    const [from, accepted] = [before?.texts[i]?.minor, column.judged[i]?.report.accepted];
    if (from === undefined || text === undefined || before?.judged[i]?.report.accepted === accepted) continue;
    const answer = await engine.run({ kind: 'causes', definition: text, from }, { ...(signal && { signal }) });
    if (answer.kind === 'done') found.push(answer.result);
  }
  return found;
}
