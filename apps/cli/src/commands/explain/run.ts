import { NO_POLICIES } from '#documents';
import type { EvaluationOptions, MendingBound } from '#documents';
import type { Minor } from '#kube';
import { shownText } from '#report';
import type { Engine } from '#runner';
import { evaluate } from '../../evaluation/evaluate.ts';
import { explainDocuments } from './explain-documents.ts';
import type { PlacedExplanation } from './explain-documents.ts';
import type { FileAccess } from '../../files/file-access.ts';
import { FILE_LIMITS } from '../../files/file-limits.ts';
import { writeFile, writeOptionFile } from '../../files/write-file.ts';
import { addedBounds } from '../../report/causes-text.ts';
import { print, reportOnStderr } from '../../report/print.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { explanationProblems } from './report/problems.ts';
import { foldVersions } from './report/rule-summary.ts';
import { tableWidth } from '../../report/fitted-table.ts';
import { explanationText } from './report/text.ts';
import { EXIT, UsageError } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { ClusterOption } from '../../cluster/open-cluster.ts';
import type { UnwantedAdvice } from '../../evaluation/place-findings.ts';
import type { ReportForm } from '../../report/forms.ts';
import { createTwoFilesPatch } from 'diff';
import { MINORS, previewOf } from '#kube';
import { findBounds } from '#service';
import { mendText } from '#editing';

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
  /**
   * Use of the bounds that would repair a definition: `patch` prints them as a patch, and `write` changes the file. Undefined if no bounds
   * are requested.
   */
  readonly fix: 'patch' | 'write' | undefined;
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
  if (command.fix !== undefined) return mendAll(command, definitions, engine);
  const explained =
    definitions.length === 0 && policies.policies.length === 0
      ? await unreadableOnly(objects, command, engine)
      : await explainDocuments(documents, command.options, engine, command.unwantedAdvice);
  checkRule(command.rule, explained);
  const view = { ...command, columns: tableWidth(), files: new Map(files.map((file) => [file.name, file])) };
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

/** Writes a patch for each definition, or changes the file of each definition if the command requests it. */
async function mendAll(command: ExplainArguments, definitions: readonly PlacedDocument[], engine: Engine): Promise<number> {
  if (definitions.length === 0) throw new UsageError('no CustomResourceDefinition was found');
  let failed = false;
  // Edits begin at the end of a file, so that the positions of earlier definitions stay valid.
  for (const document of oneOfEachPlace(definitions).toReversed()) {
    const mending = await mendDefinition(document, command.options, engine);
    reportOnStderr(`${document.source}: ${sentenceOf(mending)}`);
    failed ||= mending.kind === 'not mended';
    if (mending.kind !== 'mended') continue;
    const file = document.place?.file.name ?? '';
    if (command.fix === 'patch') failed = !writePatch(mending.patch, document.source) || failed;
    else if (file === 'stdin') throw new UsageError('--fix --write needs files, not standard input');
    else writeMended(file, mending, command.reading.access);
  }
  return failed ? EXIT.rejected : EXIT.ok;
}

/** Returns the documents without those at the place of an earlier one, because Crossplane makes several definitions of one document. */
function oneOfEachPlace(documents: readonly PlacedDocument[]): readonly PlacedDocument[] {
  const seen = new Set<string>();
  return documents.filter(({ place }) => {
    if (place === undefined) return true;
    const key = `${place.origin.start} ${place.origin.item ?? ''} ${place.file.name}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/**
 * Prints a patch and returns true. Returns false without printing if the patch would command a terminal or a CI system. A patch cannot
 * escape such text, because it must contain the bytes of the file. Carriage returns at line ends and a byte order mark are harmless.
 */
function writePatch(patch: string, source: string): boolean {
  const text = patch.replaceAll('\r\n', '\n').replace(/^([ +-])\ufeff/gm, '$1');
  const isHarmless = shownText(text) === text;
  if (isHarmless) process.stdout.write(patch);
  else
    reportOnStderr(
      `${source}: no patch is printed, because the file has text that commands a terminal or a CI system; --fix --write changes the file`,
    );
  return isHarmless;
}

function writeMended(file: string, { start, end, text }: Extract<Mending, { kind: 'mended' }>, access: FileAccess): void {
  const read = access.read(file, FILE_LIMITS.documents);
  if (!read.ok) throw new UsageError(`${file}: ${read.problem}`);
  writeFile(file, Buffer.concat([read.content.subarray(0, start), Buffer.from(text), read.content.subarray(end)]));
}

function sentenceOf(mending: Mending): string {
  if (mending.kind === 'in order') return 'already accepted';
  if (mending.kind === 'not mended') return `not fixed: ${mending.why}`;
  return `accepted with ${addedBounds(mending.bounds).join(', ')}`;
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

/** Document with the bounds that were added. */
interface MendedDocument {
  readonly kind: 'mended';
  readonly bounds: readonly MendingBound[];
  readonly text: string;
  /** Byte offsets of the document in the file. */
  readonly start: number;
  readonly end: number;
  /** The change as a unified diff of the file. */
  readonly patch: string;
}

/** Result of repairing a definition: nothing to change, the changed document, or the reason why no bound is sufficient. */
export type Mending = { readonly kind: 'in order' } | MendedDocument | { readonly kind: 'not mended'; readonly why: string };

/**
 * Adds size bounds, such as `maxItems`, to a definition, so that a server accepts the definition ({@link findBounds}). With an oldest version
 * in the options, every minor version from the oldest on accepts it. Also creates a patch of the file that contains the definition. Returns a
 * reason if the definition cannot be changed.
 */
export async function mendDefinition(document: PlacedDocument, options: EvaluationOptions, engine: Engine): Promise<Mending> {
  const { place, slice } = document;
  if (place === undefined || place.origin.item !== undefined) return { kind: 'not mended', why: 'it is an item of a list' };
  const found = await findBounds(engine, slice, { minors: wantedMinors(options), options });
  if (found === undefined) throw new Error('nobody stops the search for bounds');
  if (found.kind === 'accepted') return { kind: 'in order' };
  if (found.kind === 'none') return { kind: 'not mended', why: found.why };
  const { file, origin } = place;
  const mended = mendText(file.text.document(origin).text, found.bounds);
  if (!mended.ok) return { kind: 'not mended', why: mended.why };
  const { start, end } = origin;
  const whole = file.text.textBetween(0);
  const after = file.text.textBetween(0, start) + mended.text + file.text.textBetween(end);
  const patch = createTwoFilesPatch(`a/${file.name}`, `b/${file.name}`, whole, after);
  return { kind: 'mended', bounds: found.bounds, text: mended.text, start, end, patch };
}

/**
 * Returns the minor versions that must accept a definition: the chosen one, and every released one from the oldest on if there is an oldest.
 * A preview counts only if it is the chosen one, because its costs may still change.
 */
function wantedMinors({ kubernetesVersion, oldestVersion }: EvaluationOptions): readonly Minor[] {
  const from = oldestVersion === undefined ? MINORS.length : MINORS.indexOf(oldestVersion);
  return MINORS.filter((minor, i) => (i >= from && previewOf(minor) === undefined) || minor === kubernetesVersion);
}
