import { previewsAmong } from '#kube';
import type { Minor } from '#kube';
import type { EvaluationOptions } from '#documents';
import type { Engine } from '#runner';
import { upgradeCheck, upgradedObjects } from '#service';
import type { UpgradeCheck } from '#service';
import type { ReportProblem } from '../../files/file-problem.ts';
import { print } from '../../report/print.ts';
import { EXIT } from '../../usage.ts';
import { upgradeText } from './report.ts';
import type { CheckedObjects, UpgradeOutcome } from './report.ts';
import { openUpgradeSource } from './source.ts';
import type { UpgradeInput, UpgradeSource } from './source.ts';
import type { RunContext } from '../command.ts';
import type { OutputForm } from '../../report/forms.ts';

/**
 * Parsed arguments of `assay upgrade-check`, which compares the present minor version of a cluster or of files with another minor version.
 */
export interface UpgradeCheckArguments extends UpgradeInput {
  readonly toVersion: Minor;
  readonly output: OutputForm;
}

/**
 * Runs `assay upgrade-check`: finds how the verdicts on all definitions, policies and objects of a cluster or of files differ under another
 * minor version. Resolves with the exit status.
 */
export async function runUpgradeCheck(command: UpgradeCheckArguments, { engine, reportProblem }: RunContext): Promise<number> {
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
