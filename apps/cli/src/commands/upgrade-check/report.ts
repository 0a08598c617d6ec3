import { minorWords } from '#kube';
import type { Minor } from '#kube';
import { indented, shownInLine } from '#report';
import type { DefinitionRow, PolicyRow, UpgradedObject } from '#service';
import { matrixText } from '../../report/version-matrix.ts';
import { effectText } from '../../report/words.ts';

/** Result of `assay upgrade-check`. */
export interface UpgradeOutcome {
  /** Name of the cluster, and the version text of its server; absent for files. */
  readonly cluster?: string;
  readonly version?: string;
  readonly minors: readonly [Minor, Minor];
  /** Pre-releases of the two minor versions that Kubernetes has not released yet; absent if both are released. */
  readonly previews?: Readonly<Partial<Record<Minor, string>>>;
  /** Definitions whose verdicts change with the upgrade. */
  readonly definitions: readonly DefinitionRow[];
  /** Policies whose verdicts change with the upgrade. */
  readonly policies: readonly PolicyRow[];
  readonly objects: readonly CheckedObjects[];
  readonly counts: {
    readonly definitions: number;
    readonly policies: number;
    readonly objects: number;
    readonly notJudged: number;
    /** Number of objects in files that have no definition among the files. */
    readonly skipped: number;
  };
}

/** Counts and changes for the stored objects of one definition. */
export interface CheckedObjects {
  readonly definition: string;
  readonly objects: number;
  /** Number of objects that have no verdict under either minor version, because their definition is refused. */
  readonly notJudged: number;
  /** Objects whose verdicts change with the upgrade. */
  readonly changing: readonly (UpgradedObject & { readonly source: string })[];
}

/** Maximum number of objects that are listed per definition; all objects are counted. */
const LISTED = 20;

/** Returns a readable text about the changes that an upgrade causes: definitions, policies, objects of each definition, and the counts. */
export function upgradeText({ cluster, version, minors, definitions, policies, objects, counts }: UpgradeOutcome): string {
  const [from, to] = minors;
  const lines = [`${cluster === undefined ? '' : `${cluster} is ${version}: `}judged as ${minorWords(from)} and as ${minorWords(to)}`];
  const changing = objects.flatMap((one) => one.changing);
  const listed = objects.flatMap((one) => one.changing.slice(0, LISTED));
  if (definitions.length + listed.length > 0) {
    const rows = listed.map((row) => ({ ...row, name: row.source }));
    // The last line counts only the listed rows, so it is omitted.
    const table = matrixText({ minors, definitions, objects: rows }).trimEnd().split('\n').slice(0, -1);
    lines.push('', ...table);
  }
  const refused = listed.flatMap(({ next, source }) => (next?.write === undefined ? [] : [{ ...next, source }]));
  if (refused.length > 0) lines.push('', 'Next writes of stored objects:');
  for (const { source, message = '', ...next } of refused) lines.push(`  ${source} ${effectText(next)}`, indented(message, '      '));
  for (const { kind, name, reports } of policies) {
    lines.push('', `${kind} ${name}`);
    for (const [i, report] of reports.entries()) {
      const text = report?.accepted === true ? ['accepted', ...report.warnings].join('; ') : (report?.status?.message ?? 'not judged');
      lines.push(indented(`${minors[i] ?? ''}: ${text}`, '  '));
    }
  }
  if (changing.length > listed.length) lines.push(`… and ${changing.length - listed.length} objects more (-o json lists all)`);
  const unjudged = counts.notJudged > 0 ? `, ${counts.notJudged} could not be judged` : '';
  const skipped = counts.skipped > 0 ? `; ${counts.skipped} objects without a definition were skipped` : '';
  lines.push(
    '',
    `Summary: of ${counts.definitions} definitions ${definitions.length} change, of ${counts.policies} policies and bindings ${policies.length}, of ${counts.objects} objects ${changing.length}${unjudged}${skipped}`,
  );
  return `${lines.map((line) => (line.includes('\n') ? line : shownInLine(line))).join('\n')}\n`;
}
