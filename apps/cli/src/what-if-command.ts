import { countEffect, emptyImpact, worstCauses } from '#documents';
import type { DefinitionReport, Effect, Impact, ObjectEffect } from '#documents';
import type { Engine } from '#runner';
import { judgeChange, whatIf } from '#service';
import type { Finding } from '#editing';
import type { ReportProblem } from './find-files.ts';
import type { WhatIfCommand } from './commands.ts';
import { print } from './print.ts';
import { documentsOf } from './read-documents.ts';
import type { PlacedDocument, PlacedDocuments } from './read-documents.ts';
import { placeReport } from './place-findings.ts';
import type { PlacedReport } from './place-findings.ts';
import { readInputs } from './read-inputs.ts';
import { isToolForm } from './report/tool-forms.ts';
import { whatIfProblems } from './report/what-if-problems.ts';
import { judgesSomething, whatIfText } from './report-what-if.ts';
import { ObjectsOfFiles } from './what-if-objects.ts';
import type { TriedObjects } from './what-if-objects.ts';
import { changePolicies } from './what-if-policies.ts';
import type { PolicyChangeOutcome } from './what-if-policies.ts';
import { appliedDefinition, changeBetween, pairsOf, readState } from './what-if-states.ts';
import type { NamedDefinition, State, WrittenChange } from './what-if-states.ts';
import { EXIT, UsageError } from './usage.ts';

/** Effects of the change of one definition. */
export interface ChangeOutcome {
  readonly definition: DefinitionReport & PlacedReport;
  readonly impact: Impact;
  /** Objects that are affected by the change. */
  readonly objects: readonly (ObjectEffect & PlacedReport)[];
}

/** Result of `assay what-if`. */
export interface WhatIfOutcome {
  /** Changed definitions. A definition that is equal in both states is absent. */
  readonly changes: readonly ChangeOutcome[];
  /** Names of the definitions that are equal in both states. */
  readonly unchanged: readonly string[];
  /** Definitions that only the new state has, each with the verdict on its creation. */
  readonly added: readonly (DefinitionReport & PlacedReport)[];
  /** Definitions that only the old state has, each with the number of its objects. Without a definition, its objects do not exist. */
  readonly removed: readonly { readonly name: string; readonly objects: number }[];
  /** Effects of the change of admission policies; absent if neither state has policies. */
  readonly policies?: PolicyChangeOutcome;
  /** Number of objects of other kinds. */
  readonly skipped: number;
}

/**
 * Runs `assay what-if`: shows how a change of definitions and admission policies affects stored objects. Both states are files or folders.
 * Resolves with the exit status.
 */
export async function whatIfCommand(command: WhatIfCommand, host: Engine, reportProblem: ReportProblem): Promise<number> {
  // Each is read once: it may be a pipe.
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
  const alone = ({ definitions }: State): NamedDefinition[] => [...definitions.values()].filter((one) => !paired.has(one));
  const policies = await changedPolicies(command, { from, to, objects: documents }, host);
  const outcome: WhatIfOutcome = {
    changes,
    unchanged,
    added: await Promise.all(alone(to).map(({ document }) => createdDefinition(document, command, host))),
    removed: alone(from).map((one) => ({ name: one.name, objects: objects.count(one) })),
    ...(policies && { policies }),
    // Policies apply to objects of all kinds.
    skipped: policies === undefined ? objects.others([...from.definitions.values(), ...to.definitions.values()]) : 0,
  };
  return reportOutcome(command, outcome);
}

async function changedPolicies(
  command: WhatIfCommand,
  { from, to, objects }: { readonly from: State; readonly to: State; readonly objects: PlacedDocuments },
  host: Engine,
): Promise<PolicyChangeOutcome | undefined> {
  const hasPolicies = [from, to].some(({ documents }) => documents.policies.policies.length > 0);
  return hasPolicies ? changePolicies({ from: from.documents, to: to.documents, objects }, command, host) : undefined;
}

/** Returns the verdict on the creation of a definition that is new. */
async function createdDefinition(document: PlacedDocument, command: WhatIfCommand, host: Engine): Promise<DefinitionReport & PlacedReport> {
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
export function reportOutcome(command: WhatIfCommand, outcome: WhatIfOutcome): number {
  const { changes, added, removed, policies } = outcome;
  if (policies !== undefined && isToolForm(command.output)) throw new UsageError('a change of policies is told as text, json or yaml only');
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

/** Returns true if no object has an effect in `failOn`. */
const isHarmless = ({ effects }: Impact, failOn: readonly Effect[]): boolean => failOn.every((effect) => effects[effect] === 0);

const arePoliciesHarmless = ({ effects, refused = [] }: PolicyChangeOutcome): boolean => effects.denied === 0 && refused.length === 0;

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
