import { readFileSync } from 'node:fs';
import { countEffect, definitionText, emptyImpact, serverOf, worstCauses } from '#evaluation';
import type { DefinitionReport, DefinitionText, DocumentSlice, Effect, EvaluationOptions, Impact, ObjectEffect } from '#evaluation';
import type { EngineHost } from '#runner';
import { judgeChange, whatIf } from '#service';
import { readInputs } from './find-files.ts';
import type { WhatIfCommand } from './read-arguments.ts';
import { print } from './print.ts';
import { documentsOf } from './read-documents.ts';
import { EXIT, UsageError } from './usage.ts';

/** Objects listed one by one in text; all of them are counted. */
const LISTED = 50;
const HARMFUL: readonly Effect[] = ['brokenOnUpdate', 'savedByRatcheting', 'storedDifferently', 'notJudged'];

/** `assay what-if`: is the change of a definition admitted, and what does it do to stored objects? Resolves with the exit status. */
export async function whatIfCommand(command: WhatIfCommand, host: EngineHost): Promise<number> {
  const { options } = command;
  const change = { from: definitionOf(command.from, options), to: definitionOf(command.to, options), options };
  const admitted = await judgeChange(host, change);
  if (!admitted) throw new Error('the change ended the engine that judged it');
  const impact = emptyImpact();
  const effects: (ObjectEffect & { source: string })[] = [];
  if (admitted.accepted) {
    const { objects } = await documentsOf(readInputs(command.paths), host);
    for await (const block of whatIf(host, change, oneBlock(objects.map(({ slice }) => slice)))) {
      for (const effect of block) {
        countEffect(impact, effect);
        if (effect.effect !== 'unaffected') effects.push({ ...effect, source: objects[effect.index]?.source ?? '' });
      }
    }
  }
  const outcome = { definition: admitted, impact: { ...impact, causes: worstCauses(impact) }, objects: effects };
  print(command.output, outcome, () => text(admitted, impact, effects));
  return admitted.accepted && impact.effects.brokenOnUpdate === 0 && impact.effects.notJudged === 0 ? EXIT.ok : EXIT.rejected;
}

function definitionOf(path: string, options: EvaluationOptions): DefinitionText {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new UsageError(`${path}: no such file`);
  }
  const slice: DocumentSlice = { bytes, notation: bytes.toString('utf8', 0, 200).trimStart().startsWith('{') ? 'json' : 'yaml' };
  return definitionText(slice, serverOf(options));
}

async function* oneBlock(slices: readonly DocumentSlice[]): AsyncGenerator<readonly DocumentSlice[]> {
  yield slices;
}

function text(definition: DefinitionReport, impact: Impact, effects: readonly (ObjectEffect & { source: string })[]): string {
  const lines = [
    `The change of ${definition.name} ${definition.accepted ? 'is admitted' : 'is refused'}${definition.status ? `: ${definition.status.message}` : ''}`,
  ];
  for (const warning of definition.warnings) lines.push(`  warning: ${warning}`);
  if (!definition.accepted) return `${lines.join('\n')}\n`;
  const causes = worstCauses(impact);
  if (causes.length > 0) lines.push('', 'What refuses objects, most damaging first:');
  for (const { cause, objects, brokenOnUpdate } of causes)
    lines.push(`  ${objects} objects (${brokenOnUpdate} even unchanged)  ${cause.field}: ${cause.message || cause.reason}`);
  const listed = effects.filter(({ effect }) => HARMFUL.includes(effect));
  if (listed.length > 0) lines.push('', 'Objects:');
  for (const { source, name, effect, message, changes } of listed.slice(0, LISTED)) {
    lines.push(`  ${source} ${name === undefined ? '' : JSON.stringify(name)} ${WORDS[effect]}`);
    if (message !== undefined) lines.push(`      ${message}`);
    for (const { path, before, after } of changes) lines.push(`      ${path}: ${before ?? '(nothing)'} → ${after ?? '(nothing)'}`);
  }
  if (listed.length > LISTED) lines.push(`  … and ${listed.length - LISTED} more (-o json lists all)`);
  const counts = Object.entries(impact.effects).map(([effect, count]) => `${WORDS[effect as Effect]}: ${count}`);
  lines.push('', `Summary: ${impact.objects} objects - ${counts.join(', ')}; CEL cost ${impact.costBefore} → ${impact.costAfter}`);
  return `${lines.join('\n')}\n`;
}

const WORDS: Readonly<Record<Effect, string>> = {
  unaffected: 'unaffected',
  brokenOnUpdate: 'broken on update',
  savedByRatcheting: 'saved by ratcheting',
  storedDifferently: 'stored differently',
  invalidBefore: 'invalid before',
  notJudged: 'not judged',
};
