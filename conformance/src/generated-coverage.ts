import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileExpression, declareType, environmentFor } from '#cel';
import type { Program } from '#cel';
import { compileStoredDefinition } from '#crd';
import { isJsonObject, readJson, readFirstDocument } from '#go';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import type { CompiledRules } from '../../libs/crd/src/rules/compiled-rules.ts';
import { valueSchemaOf } from './cel/value-schema.ts';
import { linesOfFile } from './read-lines.ts';
import { SHARED } from './shared-folder.ts';

/**
 * Counter of the programs for which the code generator creates code. For the remaining programs, it counts the obstacles that prevent
 * generated code.
 */
export class GeneratedCoverage {
  programs = 0;
  generated = 0;
  /** Number of programs for which each obstacle prevents generated code, with at most 40 of the expressions. */
  readonly obstacles = new Map<string, { count: number; readonly examples: string[] }>();

  get share(): number {
    return this.generated / this.programs;
  }

  count(program: Program, text: string): void {
    this.programs++;
    const { obstacle } = program;
    if (obstacle === undefined) {
      this.generated++;
      return;
    }
    const known = this.obstacles.get(obstacle) ?? { count: 0, examples: [] };
    this.obstacles.set(obstacle, known);
    known.count++;
    if (known.examples.length < EXAMPLES && !known.examples.includes(text)) known.examples.push(text);
  }
}

const EXAMPLES = 40;

/** Counts all rules and messageExpressions of the real-world definitions in the corpora, including repeated ones. */
export function coverageOfDefinitions(): GeneratedCoverage {
  const coverage = new GeneratedCoverage();
  for (const folder of ['crds', 'suites/crds']) {
    for (const file of definitionFilesBelow(join(SHARED, 'corpora', folder))) {
      const reading = readFirstDocument(readFileSync(file));
      if (!reading.ok) throw new Error(`${file}: ${reading.error}`);
      const outcome = compileStoredDefinition(reading.value, { minor: LATEST_MINOR, engine: NODE_ENGINE, servesAll: true });
      if (!outcome.ok) continue;
      for (const name of outcome.definition.versions) {
        const served = outcome.definition.serve(name);
        if (served?.ok === true) countRules(coverage, served.version.rules);
      }
    }
  }
  return coverage;
}

function definitionFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => join(folder, file));
}

function countRules(coverage: GeneratedCoverage, node: CompiledRules | undefined): void {
  if (node === undefined) return;
  for (const { program, message, source } of node.rules) {
    if (program !== undefined) coverage.count(program, source.rule);
    if (message !== undefined) coverage.count(message, source.messageExpression);
  }
  const below = [node.items, node.additionalProperties, ...node.properties.map(([, rules]) => rules), ...node.allOf];
  for (const rules of below) countRules(coverage, rules);
}

/** Counts the recorded random expressions of the latest minor version, of any result type. */
export async function coverageOfRandomExpressions(): Promise<GeneratedCoverage> {
  const coverage = new GeneratedCoverage();
  for await (const line of linesOfFile(join(SHARED, `oracle/golden/random-exprs-${LATEST_MINOR}.jsonl.gz`))) {
    if (line === '') continue;
    const reading = readJson(line);
    if (!reading.ok || !isJsonObject(reading.value) || !isJsonObject(reading.value['case'])) throw new Error(`not a case: ${line}`);
    const { rule, schema, root, optionalOldSelf, stored } = reading.value['case'];
    const self = isJsonObject(schema) ? declareType(valueSchemaOf(schema), root === true ? 'resource' : 'value', LATEST_MINOR) : undefined;
    if (self === undefined || typeof rule !== 'string') continue;
    const compiled = compileExpression(rule, {
      self,
      oldSelf: optionalOldSelf === true ? 'optional' : 'plain',
      environment: environmentFor(LATEST_MINOR, stored === true ? 'stored' : 'new'),
      expect: 'any',
      engine: NODE_ENGINE,
    });
    if (compiled.ok) coverage.count(compiled.program, rule);
  }
  return coverage;
}
