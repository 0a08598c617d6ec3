import { readFileSync } from 'node:fs';
import { costliestValue, performCell, RULE_FAMILIES, ruleFamily, schemaOfNode, StudiedDefinition } from '#benchmark';
import type { NodeValue, RuleFamily } from '#benchmark';
import { compileStoredDefinition } from '#crd';
import type { CompiledDefinition, LoneRule } from '#crd';
import { isJsonObject, newJsonObject, readYaml, writeJson } from '#go';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE, nodeEngine } from '#runner/linker';
import { seededRandom, shuffled } from '../../../../testing/seeded-random.ts';
import { corpusFiles, DEFINITION_FOLDERS } from '../../workloads/corpus-files.ts';
import { yamlObject } from '../../workloads/object-cases.ts';
import { evaluateRule, MAX_COST, rulesOf } from './rule-evaluations.ts';
import type { RuleEvaluation } from './rule-evaluations.ts';

/** A rule of a real definition that is not used for the calibration. */
interface HeldOut {
  readonly file: string;
  readonly lone: LoneRule;
}

/**
 * Limits of a random draw: highest number of rules from each family, and from each family within one definition. The times of a family's
 * rules are predicted together.
 */
interface Draw {
  readonly each: number;
  readonly perFile: number;
}

/** Draw of the rules that were used to choose the kinds of steps. The validation does not use these rules. */
const SEEN: Draw = { each: 40, perFile: 3 };
const VALIDATION: Draw = { each: 28, perFile: 40 };
const QUICK: Draw = { each: 4, perFile: 1 };
/** Time in ms for finding the most expensive value of a rule. */
const STUDY_MS = 1000;
/**
 * Fractions to which the lengths of lists and of long texts are reduced. The shortened values are used for additional evaluations of a
 * rule.
 */
const PARTS = [1, 1 / 8, 1 / 64, 1 / 512];
const LONG_TEXT = 1000;
/** Highest size of a value in bytes. The measurement of larger values takes too long. */
const MAX_BYTES = 600_000;

/**
 * Draws rules of every family from the corpora (collections of real definitions), finds values for each rule, and evaluates the rule on
 * these values.
 */
export function heldOutEvaluations(quick: boolean): RuleEvaluation[] {
  const without = new Set(drawRules(SEEN).map(({ lone }) => lone.rule.source.rule));
  const drawn = drawRules(quick ? QUICK : VALIDATION, without);
  const files = Map.groupBy(drawn, ({ file }) => file);
  return [...files].flatMap(([file, rules]) => evaluateRules(file, rules));
}

/** Draws rules at random. Each rule text is drawn at most once, and texts in `without` are not drawn. */
function drawRules({ each, perFile }: Draw, without: ReadonlySet<string> = new Set()): HeldOut[] {
  const families = new Map<RuleFamily, HeldOut[]>(RULE_FAMILIES.map((family) => [family, []]));
  const seen = new Set(without);
  for (const file of shuffled(corpusFiles(DEFINITION_FOLDERS), seededRandom(1))) {
    const ofFile = new Map<RuleFamily, number>();
    for (const lone of rulesOf(compiledFile(file, 'measured'))) {
      const { checked, source } = lone.rule;
      if (checked === undefined || seen.has(source.rule)) continue;
      seen.add(source.rule);
      const family = ruleFamily(checked);
      const rules = families.get(family);
      const count = ofFile.get(family) ?? 0;
      if (rules === undefined || rules.length >= each || count >= perFile) continue;
      ofFile.set(family, count + 1);
      rules.push({ file, lone });
    }
  }
  return [...families.values()].flat();
}

function evaluateRules(file: string, rules: readonly HeldOut[]): RuleEvaluation[] {
  const definition = compiledFile(file, NODE_ENGINE);
  if (definition === undefined) return [];
  const studied = new StudiedDefinition(definition);
  return rules.flatMap(({ lone }) => {
    const key = { version: lone.version.name, path: lone.path };
    const found = studied.find(key);
    const cell = { kind: 'costs', rule: key, ms: STUDY_MS, seed: 1, objects: [], hints: [] } as const;
    const subjects = { head: () => studied, compileAgain: () => undefined, choice: nodeEngine };
    const { worst } = performCell(cell, subjects, { now: () => performance.now(), token: { cancelled: false } });
    const value = found && worst && costliestValue(found, worst.plan, MAX_COST);
    return value === undefined ? [] : evaluateSizes(file, lone, value);
  });
}

/**
 * Evaluates a rule on a value and on shortened copies of the value. If several evaluations have the same cost, only the last one is kept.
 */
function evaluateSizes(file: string, lone: LoneRule, { value, old }: NodeValue): RuleEvaluation[] {
  const node = schemaOfNode(yamlObject(file), lone);
  if (node === undefined) return [];
  const schema = writeJson(node);
  const name = `${lone.version.name} ${lone.path}: ${lone.rule.source.rule}`;
  const evaluations = PARTS.map((part) => ({ value: cut(value, part), old: old === undefined ? undefined : cut(old, part) }))
    .filter((one) => writeJson(one.value).length <= MAX_BYTES)
    .flatMap((one) => evaluateRule(lone, name, schema, one) ?? []);
  return [...new Map(evaluations.map((evaluation) => [evaluation.cost, evaluation])).values()];
}

/** Returns a copy of `value` in which lists and long texts are shortened to `part` of their length. A list keeps at least one element. */
function cut(value: JsonValue, part: number): JsonValue {
  if (Array.isArray(value)) return value.slice(0, Math.ceil(value.length * part)).map((one) => cut(one, part));
  if (typeof value === 'string' && value.length > LONG_TEXT) return value.slice(0, Math.ceil(value.length * part));
  if (!isJsonObject(value)) return value;
  const copy = newJsonObject();
  for (const [key, child] of Object.entries(value)) copy[key] = cut(child, part);
  return copy;
}

function compiledFile(file: string, engine: 'measured' | typeof NODE_ENGINE): CompiledDefinition | undefined {
  const reading = readYaml(readFileSync(file));
  const outcome = reading.ok ? compileStoredDefinition(reading.value, { minor: LATEST_MINOR, engine }) : undefined;
  return outcome?.ok === true ? outcome.definition : undefined;
}
