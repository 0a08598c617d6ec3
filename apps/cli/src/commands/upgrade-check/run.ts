import { previewsAmong, minorWords } from '#kube';
import type { Minor } from '#kube';
import type { EvaluationOptions, DefinitionSlice } from '#documents';
import type { Engine } from '#runner';
import { upgradeCheck, upgradedObjects } from '#service';
import type { UpgradeCheck, DefinitionRow, PolicyRow, UpgradedObject } from '#service';
import type { ReportProblem } from '../../files/file-problem.ts';
import { print } from '../../report/print.ts';
import { EXIT, UsageError } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { OutputForm } from '../../report/forms.ts';
import { indented, shownInLine } from '#report';
import { matrixText } from '../../report/version-matrix.ts';
import { effectText } from '../../report/words.ts';
import { pathOfObjects } from '#cluster';
import type { Cluster } from '#cluster';
import { documentsOf, hasNoDocuments } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { reportUnreadable } from '../../documents/unreadable-documents.ts';
import { namedDefinition, ObjectsOfFiles } from '../../documents/objects-by-kind.ts';
import type { TriedObjects } from '../../documents/objects-by-kind.ts';
import { openCluster, valueOf, readDefinitions, StoredObjects } from '../../cluster/read-cluster.ts';
import type { ClusterOption, StoredDefinition } from '../../cluster/read-cluster.ts';
import type { CommandSettings } from '../../options/shared-options.ts';

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

/** Result of `assay upgrade-check`. */
interface UpgradeOutcome {
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
interface CheckedObjects {
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
function upgradeText({ cluster, version, minors, definitions, policies, objects, counts }: UpgradeOutcome): string {
  const [from, to] = minors;
  const lines = [`${cluster === undefined ? '' : `${cluster} is ${version}: `}judged as ${minorWords(from)} and as ${minorWords(to)}`];
  const changing = objects.flatMap((one) => one.changing);
  const listed = objects.flatMap((one) => one.changing.slice(0, LISTED));
  if (definitions.length + listed.length > 0) {
    const rows = listed.map((row) => ({ ...row, name: row.source }));
    // The last line of the table counts only the listed rows, so this text leaves the line out.
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

/** Cluster or files that an upgrade concerns. */
interface UpgradeInput extends CommandSettings {
  /** Cluster that is upgraded; undefined if files are judged. */
  readonly cluster: ClusterOption | undefined;
  readonly paths: readonly string[];
  readonly options: EvaluationOptions;
}

/** Definitions, policies and stored objects that an upgrade concerns, from a cluster or from files. */
interface UpgradeSource {
  /** Cluster with the version text of its server; undefined for files. */
  readonly cluster: { readonly name: string; readonly version: string } | undefined;
  /** Options of the evaluation, with the version before the upgrade. */
  readonly options: EvaluationOptions;
  readonly documents: Parameters<typeof upgradeCheck>[1];
  /** Kinds with the objects of each, in the order of the definitions in `documents`. */
  readonly kinds: readonly StoredKindOf[];
  /** Number of objects in files that have no definition among the files. */
  readonly skipped: number;
  close(): void;
}

/** Definition, and a function that begins to read its stored objects. The function is undefined if the server serves none. */
interface StoredKindOf {
  readonly name: string;
  readonly slice: DefinitionSlice;
  readonly objects: (() => TriedObjects) | undefined;
}

/** Opens the source that a command names: files, or a cluster. Throws {@link UsageError} if it cannot be read. */
function openUpgradeSource(command: UpgradeInput, engine: Engine, reportProblem: ReportProblem): Promise<UpgradeSource> {
  return command.cluster === undefined
    ? filesSource(command, engine, reportProblem)
    : clusterSource(command, command.cluster, reportProblem);
}

async function clusterSource(
  command: UpgradeInput,
  choice: NonNullable<UpgradeInput['cluster']>,
  reportProblem: ReportProblem,
): Promise<UpgradeSource> {
  const { cluster, options, version } = await openCluster(choice, command.options);
  try {
    const definitions = await readDefinitions(cluster);
    const documents = await documentsOfCluster(cluster, definitions, options, reportProblem);
    const kinds = definitions.map(({ served, slice }) => {
      const path = pathOfObjects(served);
      const { name } = served.metadata;
      return { name, slice, objects: path === undefined ? undefined : () => new StoredObjects(cluster.list(path), name) };
    });
    return { cluster: { name: cluster.name, version }, options, documents, kinds, skipped: 0, close: () => cluster.close() };
  } catch (error) {
    cluster.close();
    throw error;
  }
}

/**
 * Reads the definitions, the policies, and the Namespaces that the policies' selectors need. Documents that the server forbids reading are
 * reported and left out.
 */
async function documentsOfCluster(
  cluster: Cluster,
  definitions: readonly StoredDefinition[],
  options: EvaluationOptions,
  reportProblem: ReportProblem,
): Promise<UpgradeSource['documents']> {
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

async function filesSource(command: UpgradeInput, engine: Engine, reportProblem: ReportProblem): Promise<UpgradeSource> {
  const read = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
  if (hasNoDocuments(read)) throw new UsageError('no documents were found');
  const objects = new ObjectsOfFiles(read);
  await reportUnreadable(objects.unknown, command.options, engine, reportProblem);
  const named = read.definitions.map(({ slice, source }) => {
    const found = namedDefinition(slice);
    if (typeof found === 'string') throw new UsageError(`${source}: ${found}`);
    // The cluster has already accepted this definition. Fields that an older version does not know are no errors.
    return { ...found, slice: { ...slice, fieldValidation: 'Ignore' } as const };
  });
  return {
    cluster: undefined,
    skipped: objects.others(named),
    options: command.options,
    documents: { definitions: named.map(({ slice }) => slice), ...read.policies, options: command.options },
    kinds: named.map((one, i) => ({ name: one.name, slice: one.slice, objects: () => objects.of(one, i === 0) })),
    close: () => undefined,
  };
}
