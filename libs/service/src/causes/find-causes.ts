import { definitionWrite } from '#documents';
import type { EvaluationOptions, VerdictCauses } from '#documents';
import type { JudgedDefinition } from '#runner';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

/** Verdicts of several Kubernetes minor versions, and the options with which the definitions were written. */
export interface ComparedVerdicts {
  /** Verdicts of each minor version, in the order of the minor versions. */
  readonly columns: readonly JudgedTexts[];
  readonly options: Pick<EvaluationOptions, 'asSent' | 'fieldValidation'>;
}

/** Causes for each two neighbouring minor versions that differ, by definition. */
export type CausesOfDefinitions = readonly (readonly VerdictCauses[])[];

/**
 * Explains for each definition why neighbouring Kubernetes minor versions have different verdicts on its write, or report different errors or
 * warnings. The result has an entry for each definition; the entry is empty if all minor versions report the same. If the engine breaks or
 * the work is cancelled, the causes are missing.
 */
export async function findCauses(engine: Engine, compared: ComparedVerdicts, signal?: AbortSignal): Promise<CausesOfDefinitions> {
  const definitions = compared.columns[0]?.texts ?? [];
  return Promise.all(definitions.map((_, i) => causesOf(engine, compared, i, signal)));
}

async function causesOf(
  engine: Engine,
  { columns, options }: ComparedVerdicts,
  i: number,
  signal?: AbortSignal,
): Promise<readonly VerdictCauses[]> {
  const found: VerdictCauses[] = [];
  for (const [m, column] of columns.entries()) {
    const before = columns[m - 1];
    const [from, definition] = [before?.texts[i], column.texts[i]];
    if (before === undefined || from === undefined || definition === undefined || tellsTheSame(before.judged[i], column.judged[i]))
      continue;
    const server = { minor: from.minor, gates: from.gates };
    const work = {
      kind: 'causes',
      definition,
      from: server,
      stored: storedTexts(before, column, i),
      ...definitionWrite(definition, options),
    } as const;
    const answer = await engine.run(work, { ...(signal && { signal }) });
    if (answer.kind === 'done') found.push(answer.result);
  }
  return found;
}

/** Returns true if two servers accept or refuse a definition with the same texts. */
function tellsTheSame(one: JudgedDefinition | undefined, other: JudgedDefinition | undefined): boolean {
  const told = (judged: JudgedDefinition | undefined): string =>
    JSON.stringify([judged?.report.accepted, judged?.report.status?.message, judged?.report.warnings]);
  return told(one) === told(other);
}

/** Returns the stored definitions that a definition updates on two servers. A server that creates the definition has none. */
function storedTexts(before: JudgedTexts, after: JudgedTexts, i: number) {
  const textOf = ({ judged, texts }: JudgedTexts) => {
    const updateOf = judged[i]?.report.updateOf;
    return updateOf === undefined ? undefined : texts[updateOf];
  };
  return { from: textOf(before), to: textOf(after) };
}
