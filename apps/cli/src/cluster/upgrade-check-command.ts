import { pathOfObjects } from '#cluster';
import type { Cluster } from '#cluster';
import { previewsAmong } from '#kube';
import type { Minor } from '#kube';
import type { EvaluationOptions } from '#evaluation';
import type { Engine } from '#runner';
import { upgradeCheck, upgradedObjects } from '#service';
import type { DefinitionRow, PolicyRow, UpgradeCheck, UpgradedObject } from '#service';
import type { ReportProblem } from '../find-files.ts';
import { additionsTo } from '../mend-definition.ts';
import type { AddedBounds } from '../place-matrix.ts';
import { print } from '../print.ts';
import type { UpgradeCheckCommand } from '../commands.ts';
import { EXIT } from '../usage.ts';
import { openCluster, valueOf } from './open-cluster.ts';
import { readDefinitions } from './read-definitions.ts';
import type { StoredDefinition } from './read-definitions.ts';
import { upgradeText } from './report-upgrade.ts';
import { StoredObjects } from './stored-objects.ts';

/** Result of `assay upgrade-check`. */
export interface UpgradeOutcome {
  readonly cluster: string;
  /** Version text of the server. */
  readonly version: string;
  readonly minors: readonly [Minor, Minor];
  /** Pre-releases of the two minor versions that Kubernetes has not released yet; absent if both are released. */
  readonly previews?: Readonly<Partial<Record<Minor, string>>>;
  /** Definitions whose verdicts change with the upgrade. */
  readonly definitions: readonly (DefinitionRow & AddedBounds)[];
  /** Policies whose verdicts change with the upgrade. */
  readonly policies: readonly PolicyRow[];
  readonly objects: readonly CheckedObjects[];
  readonly counts: { readonly definitions: number; readonly policies: number; readonly objects: number; readonly notJudged: number };
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
 * Runs `assay upgrade-check`: finds how the verdicts on all definitions, policies and objects of a cluster differ under another minor
 * version. Resolves with the exit status.
 */
export async function upgradeCheckCommand(command: UpgradeCheckCommand, engine: Engine, reportProblem: ReportProblem): Promise<number> {
  const { cluster, options, version } = await openCluster(command.cluster, command.options);
  try {
    const definitions = await readDefinitions(cluster);
    const minors = [options.kubernetesVersion, command.toVersion] as const;
    const previews = previewsAmong(minors);
    const check = await upgradeCheck(engine, await documentsOf(cluster, definitions, options, reportProblem), minors);
    const objects: CheckedObjects[] = [];
    for (const definition of definitions) objects.push(await checkObjects(cluster, definition, check, { engine, options, reportProblem }));
    const sum = (count: (one: CheckedObjects) => number): number => objects.reduce((total, one) => total + count(one), 0);
    const outcome: UpgradeOutcome = {
      cluster: cluster.name,
      version,
      minors,
      ...(previews && { previews }),
      definitions: await changingDefinitions(definitions, check, { engine, options }),
      policies: check.policies.filter(({ changes }) => changes),
      objects,
      counts: {
        definitions: definitions.length,
        policies: check.policies.length,
        objects: sum((one) => one.objects),
        notJudged: sum((one) => one.notJudged),
      },
    };
    print(command.output, outcome, () => upgradeText(outcome));
    const changes = outcome.definitions.length + outcome.policies.length + sum(({ changing }) => changing.length);
    return changes > 0 ? EXIT.rejected : EXIT.ok;
  } finally {
    cluster.close();
  }
}

/** Returns the definitions whose verdicts change, with the bounds with which both versions accept them. */
async function changingDefinitions(
  definitions: readonly StoredDefinition[],
  check: UpgradeCheck,
  { engine, options }: { readonly engine: Engine; readonly options: EvaluationOptions },
): Promise<UpgradeOutcome['definitions']> {
  const changing: UpgradeOutcome['definitions'][number][] = [];
  for (const [i, row] of check.definitions.entries()) {
    const slice = row.causes === undefined ? undefined : definitions[i]?.slice;
    if (row.changes)
      changing.push(slice === undefined ? row : { ...row, additions: await additionsTo(slice, check.minors, options, engine) });
  }
  return changing;
}

/**
 * Reads the definitions, the policies, and the Namespaces that the policies' selectors need. Documents that the server forbids reading are
 * reported and left out.
 */
async function documentsOf(
  cluster: Cluster,
  definitions: readonly StoredDefinition[],
  options: EvaluationOptions,
  reportProblem: ReportProblem,
): Promise<Parameters<typeof upgradeCheck>[1]> {
  const { documents: policies, problems } = await cluster.policies();
  for (const { sentence } of problems) reportProblem(sentence);
  const namespaces = policies.length === 0 ? undefined : await cluster.namespaces();
  if (namespaces?.ok === false && namespaces.problem.kind === 'forbidden') reportProblem(namespaces.problem.sentence);
  else if (namespaces !== undefined) valueOf(namespaces);
  return {
    definitions: definitions.map(({ slice }) => slice),
    policies,
    cluster: namespaces?.ok === true ? namespaces.value : [],
    options,
  };
}

async function checkObjects(
  cluster: Cluster,
  { served, slice }: StoredDefinition,
  check: UpgradeCheck,
  {
    engine,
    options,
    reportProblem,
  }: { readonly engine: Engine; readonly options: EvaluationOptions; readonly reportProblem: ReportProblem },
): Promise<CheckedObjects> {
  const { name } = served.metadata;
  const path = pathOfObjects(served);
  if (path === undefined) return { definition: name, objects: 0, notJudged: 0, changing: [] };
  const stored = new StoredObjects(cluster.list(path), name);
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
