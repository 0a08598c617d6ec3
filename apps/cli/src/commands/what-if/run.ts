import { countEffect, emptyImpact, worstCauses } from '#documents';
import type { DefinitionReport, Effect, EvaluationOptions, Impact, ObjectEffect } from '#documents';
import type { Engine } from '#runner';
import { judgeChange, whatIf } from '#service';
import type { EditorFinding } from '#editing';
import type { ReportProblem } from '../../files/file-problem.ts';
import { print } from '../../report/print.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocument, PlacedDocuments } from '../../documents/read-documents.ts';
import { placeReport } from '../../evaluation/place-findings.ts';
import type { PlacedReport } from '../../evaluation/place-findings.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { isToolForm } from '../../report/forms.ts';
import type { ReportForm } from '../../report/forms.ts';
import { whatIfProblems, judgesSomething, whatIfText } from './report.ts';
import type { ChangeOutcome, WhatIfOutcome } from './report.ts';
import { ObjectsOfFiles } from '../../documents/objects-by-kind.ts';
import type { TriedObjects } from '../../documents/objects-by-kind.ts';
import { changePolicies } from './change-policies.ts';
import type { PolicyChangeOutcome } from './change-policies.ts';
import { appliedDefinition, changeBetween, pairsOf, readState } from './states.ts';
import type { DefinitionSettings, NamedDefinition, DocumentsState, WrittenChange } from './states.ts';
import { EXIT, UsageError } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { ClusterOption } from '../../cluster/read-cluster.ts';

/** Parsed arguments of `assay what-if`, which shows the effects of a changed definition or of changed policies. */
export interface WhatIfArguments extends CommandSettings, DefinitionSettings {
  /** Cluster from which the present definition and the objects are read. */
  readonly cluster?: ClusterOption | undefined;
  /** Files of the present state (`from`) and of the new state (`to`). With a cluster, `from` is undefined. */
  readonly from: string | undefined;
  readonly to: string;
  readonly paths: readonly string[];
  readonly output: ReportForm;
  readonly options: EvaluationOptions;
  /** Effects that cause exit status 1 if at least one object has them. */
  readonly failOn: readonly Effect[];
}

/**
 * Runs `assay what-if`: shows how a change of definitions and admission policies affects stored objects. Both states are files or folders.
 * Resolves with the exit status.
 */
export async function runWhatIf(command: WhatIfArguments, { engine: host, reportProblem }: RunContext): Promise<number> {
  // Each state is read only once, because it may be a pipe.
  const from = await readState(command.from ?? '', command, host, reportProblem);
  const to = await readState(command.to, command, host, reportProblem);
  const documents = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), host);
  const objects = new ObjectsOfFiles(documents);
  const { options } = command;
  const pairs = pairsOf(from, to);
  const changes: ChangeOutcome[] = [];
  const unchanged: string[] = [];
  for (const pair of pairs) {
    const change = changeBetween(pair.from.document.slice, pair.to.document, command, options);
    const isSame = pairs.length > 1 && change.from.digest === change.to.digest;
    if (isSame) unchanged.push(pair.to.name);
    else changes.push(await changeOutcome(change, objects.of(pair.to, changes.length === 0), host, reportProblem));
  }
  const paired = new Set(pairs.flatMap((pair) => [pair.from, pair.to]));
  const alone = ({ definitions }: DocumentsState): NamedDefinition[] => [...definitions.values()].filter((one) => !paired.has(one));
  const policies = await changedPolicies(command, { from, to, objects: documents }, host);
  const outcome: WhatIfOutcome = {
    changes,
    unchanged,
    added: await Promise.all(alone(to).map(({ document }) => createdDefinition(document, command, host))),
    removed: alone(from).map((one) => ({ name: one.name, objects: objects.count(one) })),
    ...(policies && { policies }),
    // Policies apply to objects of all kinds, so no object is skipped.
    skipped: policies === undefined ? objects.others([...from.definitions.values(), ...to.definitions.values()]) : 0,
  };
  return reportOutcome(command, outcome);
}

async function changedPolicies(
  command: WhatIfArguments,
  { from, to, objects }: { readonly from: DocumentsState; readonly to: DocumentsState; readonly objects: PlacedDocuments },
  host: Engine,
): Promise<PolicyChangeOutcome | undefined> {
  const hasPolicies = [from, to].some(({ documents }) => documents.policies.policies.length > 0);
  return hasPolicies ? changePolicies({ from: from.documents, to: to.documents, objects }, command, host) : undefined;
}

/** Returns the verdict on the creation of a definition that is new. */
async function createdDefinition(
  document: PlacedDocument,
  command: WhatIfArguments,
  host: Engine,
): Promise<DefinitionReport & PlacedReport> {
  const { options, definitionValidation: fieldValidation } = command;
  const definition = appliedDefinition(document, command, options);
  const answer = await host.run({ kind: 'judge', definition, rules: false, asSent: options.asSent, fieldValidation });
  if (answer.kind !== 'done') throw new Error('a new definition ended the engine that judged it');
  return placeReport(answer.result.report, document);
}

/** Returns the verdict on a changed definition, and how it affects the objects. */
export async function changeOutcome(
  change: WrittenChange,
  objects: TriedObjects,
  host: Engine,
  reportProblem: ReportProblem,
): Promise<ChangeOutcome> {
  const judged = await judgeChange(host, change);
  if (!judged) throw new Error('the change ended the engine that judged it');
  const definition = placeReport(judged, change.written);
  const impact = emptyImpact();
  const affected: ChangeOutcome['objects'][number][] = [];
  if (definition.accepted) {
    for await (const block of whatIf(host, change, objects)) {
      for (const effect of block) {
        countEffect(impact, effect);
        if (effect.effect !== 'unaffected') affected.push(placeEffect(effect, objects.documentOf(effect.index)));
      }
      objects.done(block.length);
    }
    const problem = objects.end();
    if (problem !== undefined) reportProblem(problem);
  }
  return { definition, impact, objects: affected };
}

/** Prints an outcome. Returns the exit status. */
export function reportOutcome(command: WhatIfArguments, outcome: WhatIfOutcome): number {
  const { changes, added, removed, policies } = outcome;
  if (policies !== undefined && isToolForm(command.output))
    throw new UsageError('a change of policies is reported only as text, json or yaml');
  const written = {
    ...outcome,
    changes: changes.map((change) => ({ ...change, impact: { ...change.impact, causes: worstCauses(change.impact) } })),
  };
  print(command.output, written, { text: () => whatIfText(outcome), tools: () => whatIfProblems(outcome, command.failOn) });
  const isLost = removed.some(({ objects }) => objects > 0) && command.failOn.includes('brokenOnUpdate');
  const harmless = changes.every(({ definition, impact }) => definition.accepted && isHarmless(impact, command.failOn));
  const isSound =
    harmless && !isLost && added.every(({ accepted }) => accepted) && (policies === undefined || arePoliciesHarmless(policies));
  return isSound && judgesSomething(outcome) ? EXIT.ok : EXIT.rejected;
}

const isHarmless = ({ effects }: Impact, failOn: readonly Effect[]): boolean => failOn.every((effect) => effects[effect] === 0);

const arePoliciesHarmless = ({ effects, refused = [] }: PolicyChangeOutcome): boolean => effects.denied === 0 && refused.length === 0;

/** Returns an effect with the location of its object, and the locations of the fields that cause the effect. */
function placeEffect(effect: ObjectEffect, { source, place }: Pick<PlacedDocument, 'source' | 'place'>): ObjectEffect & PlacedReport {
  if (place === undefined) return { ...effect, source };
  const text = place.file.text.document(place.origin);
  const { line, column } = text.beginning;
  const findings = effect.causes.map(({ reason, message }, i): EditorFinding => {
    const field = effect.fields?.[i];
    const range = field === undefined ? undefined : text.rangeOf(field);
    const at = range ?? { line, column, end: { line, column: column + 1 } };
    const location = { line: at.line, column: at.column, endLine: at.end.line, endColumn: at.end.column };
    return { severity: 'error', ...(field !== undefined && { field }), message, reason, location };
  });
  return { ...effect, source, location: { file: place.file.name, line, column }, ...(findings.length > 0 && { findings }) };
}
