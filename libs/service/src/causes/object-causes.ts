import type { DefinitionText, DocumentSlice, EvaluationOptions, Verdict, VerdictCause, VerdictCauses } from '#documents';
import type { Minor } from '#kube';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';
import { effectsOfRun } from '../what-if/what-if.ts';

/** Verdicts of one Kubernetes minor version on definitions and objects. */
export interface ObjectColumn extends JudgedTexts {
  readonly minor: Minor;
  readonly verdicts: readonly Verdict[];
}

/** Objects, and the options with which they were evaluated. */
interface ComparedObjects {
  readonly objects: readonly DocumentSlice[];
  readonly options: EvaluationOptions;
}

/** Maximum number of objects whose different verdicts are explained for two neighbouring minor versions. */
const EXPLAINED = 1_000;

/**
 * Explains why neighbouring Kubernetes minor versions give different verdicts on objects, or report different errors or warnings about them.
 * The result has the causes by the position of the object. Objects without known causes are missing. Explains the first 1,000 objects of
 * two neighbouring minor versions.
 */
export async function findObjectCauses(
  engine: Engine,
  columns: readonly ObjectColumn[],
  compared: ComparedObjects,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, readonly VerdictCauses[]>> {
  const found = new Map<number, VerdictCauses[]>();
  for (const [m, after] of columns.entries()) {
    const before = columns[m - 1];
    if (before === undefined) continue;
    const differing = [...compared.objects.keys()].filter((i) => !tellsTheSame(before.verdicts[i], after.verdicts[i]));
    const nameOf = (i: number): string | undefined => after.verdicts[i]?.definition ?? before.verdicts[i]?.definition;
    for (const [name, positions] of Map.groupBy(differing.slice(0, EXPLAINED), nameOf)) {
      const [from, to] = [storedText(before, name), storedText(after, name)];
      if (from === undefined || to === undefined) continue;
      const items = positions.flatMap((i) => compared.objects[i] ?? []);
      const effects = await effectsOfRun(engine, { from, to, options: compared.options }, { items, firstItem: 0 }, signal);
      for (const [n, { becauseOf }] of effects.entries()) {
        const i = positions[n] as number;
        if (becauseOf === undefined) continue;
        const isFlip = before.verdicts[i]?.outcome !== after.verdicts[i]?.outcome;
        found.set(i, [...(found.get(i) ?? []), causesBetween([before.minor, after.minor], isFlip, becauseOf)]);
      }
    }
  }
  return found;
}

/** Returns the text of a definition that a server has stored; undefined if the server refuses every definition of this name. */
function storedText({ judged, texts }: JudgedTexts, name: string | undefined): DefinitionText | undefined {
  return texts[judged.findLastIndex(({ report }) => report.accepted && report.name === name)];
}

/** Returns the causes for an object in the form of those for a definition. No rule is among them. */
export function causesBetween([from, to]: readonly [Minor, Minor], isFlip: boolean, causes: readonly VerdictCause[]): VerdictCauses {
  return { from, to, about: isFlip ? 'verdict' : 'texts', causes: [...causes], hasSeveral: false, rules: [], sums: [] };
}

/** Returns true if two servers answer a write with the same outcome and the same texts. */
function tellsTheSame(one: Verdict | undefined, other: Verdict | undefined): boolean {
  const told = (verdict: Verdict | undefined): string => JSON.stringify([verdict?.outcome, verdict?.status?.message, verdict?.warnings]);
  return told(one) === told(other);
}
