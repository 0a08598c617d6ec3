import { previewsAmong } from '#kube';
import type { Minor } from '#kube';
import type { EvaluationOptions } from '#documents';
import type { Engine } from '#runner';
import { upgradeCheck, upgradedObjects } from '#service';
import type { DefinitionRow, PolicyRow, UpgradeCheck, UpgradedObject } from '#service';
import type { ReportProblem } from '../find-files.ts';
import { print } from '../print.ts';
import type { UpgradeCheckCommand } from '../commands.ts';
import { EXIT } from '../usage.ts';
import { upgradeText } from './report-upgrade.ts';
import { openUpgradeSource } from './upgrade-source.ts';
import type { UpgradeSource } from './upgrade-source.ts';

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

/**
 * Runs `assay upgrade-check`: finds how the verdicts on all definitions, policies and objects of a cluster or of files differ under another
 * minor version. Resolves with the exit status.
 */
export async function upgradeCheckCommand(command: UpgradeCheckCommand, engine: Engine, reportProblem: ReportProblem): Promise<number> {
  const source = await openUpgradeSource(command, engine, reportProblem);
  try {
    const { options } = source;
    const minors = [options.kubernetesVersion, command.toVersion] as const;
    const previews = previewsAmong(minors);
    const check = await upgradeCheck(engine, source.documents, minors);
    const objects: CheckedObjects[] = [];
    for (const kind of source.kinds) objects.push(await checkObjects(kind, check, { engine, options, reportProblem }));
    const sum = (count: (one: CheckedObjects) => number): number => objects.reduce((total, one) => total + count(one), 0);
    const outcome: UpgradeOutcome = {
      ...(source.cluster && { cluster: source.cluster.name, version: source.cluster.version }),
      minors,
      ...(previews && { previews }),
      definitions: check.definitions.filter(({ changes }) => changes),
      policies: check.policies.filter(({ changes }) => changes),
      objects,
      counts: {
        definitions: check.definitions.length,
        policies: check.policies.length,
        objects: sum((one) => one.objects),
        notJudged: sum((one) => one.notJudged),
        skipped: source.skipped,
      },
    };
    print(command.output, outcome, () => upgradeText(outcome));
    const changes = outcome.definitions.length + outcome.policies.length + sum(({ changing }) => changing.length);
    return changes > 0 ? EXIT.rejected : EXIT.ok;
  } finally {
    source.close();
  }
}

async function checkObjects(
  { name, slice, objects: read }: UpgradeSource['kinds'][number],
  check: UpgradeCheck,
  {
    engine,
    options,
    reportProblem,
  }: { readonly engine: Engine; readonly options: EvaluationOptions; readonly reportProblem: ReportProblem },
): Promise<CheckedObjects> {
  const stored = read?.();
  if (stored === undefined) return { definition: name, objects: 0, notJudged: 0, changing: [] };
  const changing: CheckedObjects['changing'][number][] = [];
  let objects = 0;
  let notJudged = 0;
  for await (const rows of upgradedObjects(engine, check, { definition: slice, objects: stored, options })) {
    for (const row of rows) {
      if (Object.values(row.outcome).every((outcome) => outcome === 'notEvaluated' || outcome === 'cancelled')) notJudged++;
      if (row.changes) changing.push({ ...row, source: stored.documentOf(row.index).source });
    }
    objects += rows.length;
    stored.done(rows.length);
  }
  const problem = stored.end();
  if (problem !== undefined) reportProblem(problem);
  return { definition: name, objects, notJudged, changing };
}
