import { countEffect, definitionText, emptyImpact, serverOf, worstCauses } from '#evaluation';
import type { DefinitionReport, DefinitionText, DocumentSlice, Effect, EvaluationOptions, Impact, ObjectEffect } from '#evaluation';
import type { Engine } from '#runner';
import { judgeChange, oneBlock, whatIf } from '#service';
import type { DefinitionChange } from '#service';
import type { TellProblem } from './find-files.ts';
import type { WhatIfCommand } from './commands.ts';
import { print } from './print.ts';
import { documentsOf } from './read-documents.ts';
import type { PlacedDocuments } from './read-documents.ts';
import { readInputs } from './read-inputs.ts';
import type { InputFile } from './read-inputs.ts';
import { whatIfText } from './report-what-if.ts';
import { changePolicies, policyChangeText } from './what-if-policies.ts';
import { EXIT, UsageError } from './usage.ts';

/** Everything that `assay what-if` found out. */
export interface WhatIfOutcome {
  readonly definition: DefinitionReport;
  readonly impact: Impact;
  /** Those that are affected. */
  readonly objects: readonly (ObjectEffect & { readonly source: string })[];
}

/** `assay what-if`: what does a change of a definition, or of admission policies, do to stored objects? Resolves with the exit status. */
export async function whatIfCommand(command: WhatIfCommand, host: Engine, tell: TellProblem): Promise<number> {
  // Each is read once: it may be a pipe.
  const change = {
    from: await readInputs([command.from ?? ''], tell, command.reading),
    to: await readInputs([command.to], tell, command.reading),
  };
  const from = await documentsOf(change.from, host);
  return from.policies.policies.length > 0
    ? changeOfPolicies(command, { from, to: await documentsOf(change.to, host) }, host, tell)
    : changeOfDefinition(command, change, host, tell);
}

/** The two states of what is changed. */
interface Change<State> {
  readonly from: State;
  readonly to: State;
}

async function changeOfPolicies(command: WhatIfCommand, change: Change<PlacedDocuments>, host: Engine, tell: TellProblem): Promise<number> {
  const objects = await documentsOf(await readInputs(command.paths, tell, command.reading), host);
  const outcome = await changePolicies({ ...change, objects }, command.options, host);
  print(command.output, outcome, () => policyChangeText(outcome));
  const { effects } = outcome;
  const judged = Object.values(effects).reduce((sum, count) => sum + count, 0) - effects.notJudged;
  return judged > 0 && effects.denied === 0 ? EXIT.ok : EXIT.rejected;
}

async function changeOfDefinition(
  command: WhatIfCommand,
  { from, to }: Change<readonly InputFile[]>,
  host: Engine,
  tell: TellProblem,
): Promise<number> {
  const { options } = command;
  const change = { from: definitionOf(command.from ?? '', from, options), to: definitionOf(command.to, to, options), options };
  return reportChange(command, change, objectsOfFiles(command, host, tell), host, tell);
}

/** Objects over which a change is tried, block by block, and where each is from. */
export interface TriedObjects extends AsyncIterable<readonly DocumentSlice[]> {
  /** Where an object is from. Asked before it is {@link done}. */
  sourceOf(index: number): string;
  /** Notes that so many more were judged. */
  done(count: number): void;
  /** Why not all objects could be read, after the last one; undefined where all were. */
  end(): string | undefined;
}

/** Objects of files, which are read when they are asked for. */
function objectsOfFiles({ paths, reading }: WhatIfCommand, host: Engine, tell: TellProblem): TriedObjects {
  let objects: PlacedDocuments['objects'] = [];
  return {
    async *[Symbol.asyncIterator]() {
      ({ objects } = await documentsOf(await readInputs(paths, tell, reading), host));
      yield* oneBlock(objects.map(({ slice }) => slice));
    },
    sourceOf: (index) => objects[index]?.source ?? '',
    done: () => undefined,
    end: () => undefined,
  };
}

/** Is the change admitted, and what does it do? Prints it, and resolves with the exit status. */
export async function reportChange(
  command: WhatIfCommand,
  change: DefinitionChange,
  objects: TriedObjects,
  host: Engine,
  tell: TellProblem,
): Promise<number> {
  const definition = await judgeChange(host, change);
  if (!definition) throw new Error('the change ended the engine that judged it');
  const impact = emptyImpact();
  const affected: WhatIfOutcome['objects'][number][] = [];
  if (definition.accepted) {
    for await (const block of whatIf(host, change, objects)) {
      for (const effect of block) {
        countEffect(impact, effect);
        if (effect.effect !== 'unaffected') affected.push({ ...effect, source: objects.sourceOf(effect.index) });
      }
      objects.done(block.length);
    }
    const problem = objects.end();
    if (problem !== undefined) tell(problem);
  }
  const written = { definition, impact: { ...impact, causes: worstCauses(impact) }, objects: affected };
  print(command.output, written, () => whatIfText({ definition, impact, objects: affected }));
  return definition.accepted && isHarmless(impact, command.failOn) ? EXIT.ok : EXIT.rejected;
}

/** Where not one object could be judged, nothing is known of any harm. */
function isHarmless({ effects, objects }: Impact, failOn: readonly Effect[]): boolean {
  return objects > effects.notJudged && failOn.every((effect) => effects[effect] === 0);
}

/** The definition of the only file that a path stands for. */
export function definitionOf(path: string, inputs: readonly InputFile[], options: EvaluationOptions): DefinitionText {
  const [input, ...more] = inputs;
  if (input === undefined || more.length > 0) throw new UsageError(`${path}: must be one file, that of the definition`);
  const { bytes } = input;
  const slice: DocumentSlice = { bytes, notation: bytes.toString('utf8', 0, 200).trimStart().startsWith('{') ? 'json' : 'yaml' };
  return definitionText(slice, serverOf(options));
}
