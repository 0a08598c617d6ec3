import { acceptingMinors, NO_POLICIES } from '#documents';
import type { EvaluationOptions } from '#documents';
import { MINORS } from '#kube';
import type { Minor } from '#kube';
import type { Engine } from '#runner';
import { evaluate } from '../../evaluation/evaluate.ts';
import { explainDocuments } from './explain-documents.ts';
import { mendAll } from './mend-definitions.ts';
import type { BoundRepair } from './mend-definitions.ts';
import type { PlacedExplanation } from './explain-documents.ts';
import { writeOptionFile } from '../../files/write-file.ts';
import { print, reportOnStderr } from '../../report/print.ts';
import { minorsText } from '../../report/version-matrix.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { explanationProblems } from './report/problems.ts';
import { foldVersions } from './report/prices.ts';
import { tableWidth } from '../../report/fitted-table.ts';
import { explanationText } from './report/text.ts';
import { EXIT, UsageError } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { ClusterOption } from '../../cluster/read-cluster.ts';
import type { UnwantedAdvice } from '../../evaluation/place-findings.ts';
import type { ReportForm } from '../../report/forms.ts';

/** Parsed arguments of `assay explain`, which explains the cost of definitions and policies. */
export interface ExplainArguments extends CommandSettings {
  /** Cluster whose definitions are explained. If it is set, no files are read. */
  readonly cluster?: ClusterOption | undefined;
  readonly paths: readonly string[];
  readonly output: ReportForm;
  readonly options: EvaluationOptions;
  /** True if the cost of each rule is broken down into its parts. */
  readonly verbose: boolean;
  /** Number of the chosen rule, from 1. Only this rule is broken down. Undefined if no rule is chosen. */
  readonly rule: number | undefined;
  /** Bounds that would repair a definition, and what is done with them. Undefined if no bounds are requested. */
  readonly fix: BoundRepair | undefined;
  readonly unwantedAdvice: UnwantedAdvice;
  /** File into which an HTML page with charts is written. */
  readonly html?: string | undefined;
}

/**
 * Runs `assay explain`: shows which parts of rules and policies cause their cost. With `--fix`, it finds the bounds that make a definition
 * acceptable. Resolves with the exit status.
 */
export async function runExplain(command: ExplainArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const documents = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
  const { definitions, objects, files, policies } = documents;
  if (command.fix !== undefined) return mendAll({ ...command, ...command.fix }, documents, engine);
  const explained =
    definitions.length === 0 && policies.policies.length === 0
      ? await unreadableOnly(objects, command, engine)
      : await explainDocuments(documents, command.options, engine, command.unwantedAdvice);
  checkRule(command.rule, explained);
  const servers = minorsText(acceptingMinors(command.options), MINORS);
  const view = { ...command, servers, columns: tableWidth(), files: new Map(files.map((file) => [file.name, file])) };
  if (command.html !== undefined) await writePage(command.html, explained, command.options.kubernetesVersion);
  print(command.output, explained, { text: () => explanationText(explained, view), tools: () => explanationProblems(explained) });
  const clean = [
    ...explained.definitions.map(({ report }) => report.accepted),
    ...(explained.policyReports ?? []).map(({ accepted }) => accepted),
    ...explained.objects.map(({ outcome }) => outcome === 'accepted'),
  ];
  return clean.every(Boolean) ? EXIT.ok : EXIT.rejected;
}

/** Throws {@link UsageError} if no definition has a rule with the number `rule`. */
function checkRule(rule: number | undefined, { definitions }: PlacedExplanation): void {
  const most = Math.max(0, ...definitions.map((definition) => foldVersions(definition.rules).length));
  if (rule !== undefined && rule > most)
    throw new UsageError(`--rule ${rule}: the table has ${most === 0 ? 'no rules' : `rules 1 to ${most}`}`);
}

async function writePage(file: string, explained: PlacedExplanation, minor: Minor): Promise<void> {
  // Few calls request a page, so its code is loaded on demand.
  const { explanationPage } = await import('./report/page.ts');
  writeOptionFile(file, explanationPage(explained, minor));
  reportOnStderr(`the page is in ${file}`);
}

/**
 * Returns an explanation for files without a definition or a policy. It only reports which documents cannot be read, because such a
 * document may be a definition. Throws {@link UsageError} if all documents can be read.
 */
async function unreadableOnly(
  objects: readonly PlacedDocument[],
  { options }: ExplainArguments,
  engine: Engine,
): Promise<PlacedExplanation> {
  const { items } = await evaluate({ definitions: [], objects, policies: NO_POLICIES }, options, engine);
  const unreadable = items.filter(({ outcome }) => outcome === 'rejected');
  if (unreadable.length === 0) throw new UsageError('neither a CustomResourceDefinition nor an admission policy was found');
  return {
    definitions: [],
    objects: unreadable.map(({ source, location, findings, index, outcome, status }) => ({
      source,
      ...(location && { location }),
      ...(findings && { findings }),
      index,
      outcome,
      ...(status && { status }),
    })),
  };
}
