import { countEffect, definitionText, emptyImpact, sentSlice, serverOf, worstCauses } from '#evaluation';
import type { DefinitionReport, DefinitionText, DocumentSlice, Effect, EvaluationOptions, Impact, ObjectEffect } from '#evaluation';
import type { Engine } from '#runner';
import { judgeChange, oneBlock, whatIf } from '#service';
import type { DefinitionChange } from '#service';
import { groupOf } from '#kube';
import { times } from '#report-forms';
import { SourceFile } from '#source';
import type { Finding } from '#source';
import type { ReportProblem } from './find-files.ts';
import type { WhatIfCommand } from './commands.ts';
import { print, reportOnStderr } from './print.ts';
import { documentsOf } from './read-documents.ts';
import type { PlacedDocument, PlacedDocuments } from './read-documents.ts';
import { madeDefinitions } from './made-definitions.ts';
import { placeReport } from './place-findings.ts';
import type { PlacedReport } from './place-findings.ts';
import { readInputs } from './read-inputs.ts';
import type { InputFile } from './read-inputs.ts';
import { namedByOptions } from './shared-options.ts';
import { isToolForm } from './report/tool-forms.ts';
import { whatIfProblems } from './report/what-if-problems.ts';
import { whatIfText } from './report-what-if.ts';
import { changePolicies, policyChangeText } from './what-if-policies.ts';
import { EXIT, UsageError } from './usage.ts';

/** Result of `assay what-if` for a changed definition. */
export interface WhatIfOutcome {
  readonly definition: DefinitionReport & PlacedReport;
  readonly impact: Impact;
  /** Objects that are affected by the change. */
  readonly objects: readonly (ObjectEffect & PlacedReport)[];
}

/**
 * Runs `assay what-if`: shows how a change of a definition, or of admission policies, affects stored objects. Resolves with the exit
 * status.
 */
export async function whatIfCommand(command: WhatIfCommand, host: Engine, reportProblem: ReportProblem): Promise<number> {
  // Each is read once: it may be a pipe.
  const change = {
    from: await readInputs([command.from ?? ''], reportProblem, namedByOptions(command.reading)),
    to: await readInputs([command.to], reportProblem, namedByOptions(command.reading)),
  };
  const from = await documentsOf(change.from, host);
  return from.policies.policies.length > 0
    ? changeOfPolicies(command, { from, to: await documentsOf(change.to, host) }, host, reportProblem)
    : changeOfDefinition(command, change, host, reportProblem);
}

/** Two states of the changed documents: before and after the change. */
interface Change<State> {
  readonly from: State;
  readonly to: State;
}

async function changeOfPolicies(
  command: WhatIfCommand,
  change: Change<PlacedDocuments>,
  host: Engine,
  reportProblem: ReportProblem,
): Promise<number> {
  const objects = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), host);
  const outcome = await changePolicies({ ...change, objects }, command, host);
  if (isToolForm(command.output)) throw new UsageError('a change of policies is told as text, json or yaml only');
  print(command.output, outcome, () => policyChangeText(outcome));
  const { effects, refused = [] } = outcome;
  const judged = Object.values(effects).reduce((sum, count) => sum + count, 0) - effects.notJudged;
  return judged > 0 && effects.denied === 0 && refused.length === 0 ? EXIT.ok : EXIT.rejected;
}

async function changeOfDefinition(
  command: WhatIfCommand,
  { from, to }: Change<readonly InputFile[]>,
  host: Engine,
  reportProblem: ReportProblem,
): Promise<number> {
  const { options } = command;
  const change = {
    from: await definitionOf(command.from ?? '', from, options, host),
    to: asApplied(await definitionOf(command.to, to, options, host), command),
    options,
    written: wholeFile(to),
  };
  return reportChange(command, change, objectsOfFiles(command, host, reportProblem), host, reportProblem);
}

/** Objects on which the effects of a change are computed. They are read in blocks, with the origin of each object. */
export interface TriedObjects extends AsyncIterable<readonly DocumentSlice[]> {
  /** Returns the origin of an object. Call it before {@link done}. */
  documentOf(index: number): Pick<PlacedDocument, 'source' | 'place'>;
  /**
   * Leaves out the objects of other kinds. Call it before the objects are read. Absent if all objects are of the definition's kind.
   */
  only?(definition: Pick<DefinitionReport, 'group' | 'kind'>): void;
  /** Returns the number of objects that were left out because of their kind. */
  skipped?(): number;
  /** Records that the verdicts on `count` more objects were computed. */
  done(count: number): void;
  /** Ends the reading of the objects. Returns the reason why some objects could not be read; undefined if all objects were read. */
  end(): string | undefined;
}

/** Returns the objects in files. The files are read when the iteration starts. */
function objectsOfFiles({ paths, reading }: WhatIfCommand, host: Engine, reportProblem: ReportProblem): TriedObjects {
  let objects: PlacedDocuments['objects'] = [];
  let wanted: Pick<DefinitionReport, 'group' | 'kind'> | undefined;
  let skipped = 0;
  return {
    async *[Symbol.asyncIterator]() {
      const read = await documentsOf(await readInputs(paths, reportProblem, reading), host);
      const isForeign = foreignObjects(read, wanted);
      objects = read.objects.filter((_, i) => !isForeign[i]);
      skipped = read.objects.length - objects.length;
      yield* oneBlock(objects.map(({ slice }) => slice));
    },
    only: (definition) => (wanted = definition),
    skipped: () => skipped,
    documentOf: (index) => objects[index] ?? { source: '' },
    done: () => undefined,
    end: () => undefined,
  };
}

/** Groups of the records of writes: audit events and AdmissionReviews. Such a document holds an object of another kind. */
const RECORD_GROUPS: ReadonlySet<string> = new Set(['audit.k8s.io', 'admission.k8s.io']);

/**
 * Returns for each object whether it is of another kind than the definition. An object without a readable type is not, because it may be of
 * the definition's kind.
 */
function foreignObjects({ texts }: PlacedDocuments, wanted: Pick<DefinitionReport, 'group' | 'kind'> | undefined): readonly boolean[] {
  return texts.flatMap(({ types: { names, of } }) => {
    const areForeign = names.map((name) => {
      const [apiVersion = '', kind = ''] = name.split(' ');
      const isRead = ![apiVersion, kind].some((text) => text === '' || text === 'undefined');
      const isRecord = RECORD_GROUPS.has(groupOf(apiVersion));
      return wanted !== undefined && isRead && !isRecord && (kind !== wanted.kind || groupOf(apiVersion) !== wanted.group);
    });
    return Array.from(of, (place) => areForeign[place] ?? false);
  });
}

/** Checks whether a changed definition is admitted and how it affects the objects. Prints the result and resolves with the exit status. */
export async function reportChange(
  command: WhatIfCommand,
  change: DefinitionChange & { readonly written: PlacedDocument | undefined },
  objects: TriedObjects,
  host: Engine,
  reportProblem: ReportProblem,
): Promise<number> {
  const judged = await judgeChange(host, change);
  if (!judged) throw new Error('the change ended the engine that judged it');
  const definition = placeReport(judged, change.written);
  const impact = emptyImpact();
  const affected: WhatIfOutcome['objects'][number][] = [];
  if (definition.accepted) {
    objects.only?.(definition);
    for await (const block of whatIf(host, change, objects)) {
      for (const effect of block) {
        countEffect(impact, effect);
        if (effect.effect !== 'unaffected') affected.push(placeEffect(effect, objects.documentOf(effect.index)));
      }
      objects.done(block.length);
    }
    const problem = objects.end();
    if (problem !== undefined) reportProblem(problem);
    const skipped = objects.skipped?.() ?? 0;
    if (skipped > 0) reportOnStderr(`${times(skipped, 'object')} of other kinds skipped`);
  }
  const written = { definition, impact: { ...impact, causes: worstCauses(impact) }, objects: affected };
  const outcome = { definition, impact, objects: affected };
  print(command.output, written, { text: () => whatIfText(outcome), tools: () => whatIfProblems(outcome, command.failOn) });
  return definition.accepted && isHarmless(impact, command.failOn) ? EXIT.ok : EXIT.rejected;
}

/** Returns an effect with the location of its object, and the locations of the fields that cause the effect. */
function placeEffect(effect: ObjectEffect, { source, place }: Pick<PlacedDocument, 'source' | 'place'>): ObjectEffect & PlacedReport {
  if (place === undefined) return { ...effect, source };
  const text = place.file.text.document(place.origin);
  const { line, column } = text.beginning;
  const findings = effect.causes.map(({ reason, message }, i): Finding => {
    const field = effect.fields?.[i];
    const range = field === undefined ? undefined : text.rangeOf(field);
    const at = range ?? { line, column, end: { line, column: column + 1 } };
    const location = { line: at.line, column: at.column, endLine: at.end.line, endColumn: at.end.column };
    return { severity: 'error', ...(field !== undefined && { field }), message, reason, location };
  });
  return { ...effect, source, location: { file: place.file.name, line, column }, ...(findings.length > 0 && { findings }) };
}

/** Returns the whole first file as one YAML document, with its location. Returns undefined if there is no file. */
export function wholeFile([input]: readonly InputFile[]): PlacedDocument | undefined {
  if (input === undefined) return undefined;
  const { name, bytes } = input;
  const place = { file: { name, text: new SourceFile(bytes) }, origin: { start: 0, end: bytes.length } };
  return { source: name, slice: { bytes, notation: 'yaml' }, place };
}

/**
 * Returns true if the verdict on at least one object was computed and no object has an effect in `failOn`. Without any verdict, the effects
 * are unknown, and the result is false.
 */
function isHarmless({ effects, objects }: Impact, failOn: readonly Effect[]): boolean {
  return objects > effects.notJudged && failOn.every((effect) => effects[effect] === 0);
}

/** Returns the text of a definition that is judged with the field validation of the command, as if kubectl applied it. */
export function asApplied(
  { slice, ...definition }: DefinitionText,
  { definitionValidation: fieldValidation }: Pick<WhatIfCommand, 'definitionValidation'>,
): DefinitionText {
  return { ...definition, slice: { ...slice, fieldValidation } };
}

/**
 * Returns the text of the definition in the only input file. If it is a CompositeResourceDefinition, returns the definition of its composite
 * resource. Throws {@link UsageError} if there is not exactly one file.
 */
export async function definitionOf(
  path: string,
  inputs: readonly InputFile[],
  options: EvaluationOptions,
  host: Engine,
): Promise<DefinitionText> {
  const [input, ...more] = inputs;
  if (input === undefined || more.length > 0) throw new UsageError(`${path}: must be one file, that of the definition`);
  const [made, ...others] = await madeDefinitions(input, host);
  if (others.length > 0)
    reportOnStderr(`${path}: only the first definition is compared, that of the composite resource; assay diff compares all`);
  if (made !== undefined) return definitionText(made, serverOf(options));
  const { bytes } = input;
  const slice: DocumentSlice = { bytes, notation: bytes.toString('utf8', 0, 200).trimStart().startsWith('{') ? 'json' : 'yaml' };
  return definitionText(sentSlice(slice, { cancelled: false }), serverOf(options));
}
