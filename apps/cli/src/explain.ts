import { EXPRESSION_COST_LIMIT, isJsonObject, SCHEMA_COST_LIMIT } from '#kube';
import type { JsonValue } from '#kube';
import { definitionText, readSlice } from '#evaluation';
import type { DefinitionReport, DocumentSlice, EvaluationOptions } from '#evaluation';
import type { EngineHost, RuleReport } from '#runner';
import type { PlacedDocument } from './read-documents.ts';
import { parentsOf } from './unbounded-parents.ts';
import type { Parent } from './unbounded-parents.ts';

/** A rule with the price the server puts on it and what drives it. */
export interface ExplainedRule extends RuleReport {
  readonly parents: readonly Parent[];
  /** totalCost ÷ limit; above 1 the server refuses the definition. */
  readonly factor: number;
}

/** A definition with its rules, dearest first, and the sum per version. */
export interface ExplainedDefinition {
  readonly source: string;
  readonly report: DefinitionReport;
  readonly rules: readonly ExplainedRule[];
  readonly schemas: readonly { readonly version: string; readonly cost: string; readonly factor: number }[];
}

/** Asks the engine for the static cost of every rule and adds what its parents allow. */
export async function explain(
  { source, slice }: PlacedDocument,
  options: EvaluationOptions,
  host: EngineHost,
): Promise<ExplainedDefinition> {
  const answer = await host.run({ kind: 'judge', definition: definitionText(slice, options.kubernetesVersion), rules: true });
  if (answer.kind !== 'done' || answer.result.kind !== 'judge') throw new Error('the definition ended the engine that judged it');
  const { report, rules = [], schemaCost = {} } = answer.result.judged;
  const schemaOf = schemas(slice);
  const explained = rules.map((rule) => ({
    ...rule,
    parents: parentsOf(schemaOf.get(rule.version), rule.path),
    factor: ratio(rule.totalCost, EXPRESSION_COST_LIMIT),
  }));
  return {
    source,
    report,
    rules: explained.sort((a, b) => b.factor - a.factor),
    schemas: Object.entries(schemaCost).map(([version, cost]) => ({ version, cost, factor: ratio(cost, SCHEMA_COST_LIMIT) })),
  };
}

const ratio = (cost: string, limit: bigint): number => Number(BigInt(cost)) / Number(limit);

/** openAPIV3Schema by version. */
function schemas(slice: DocumentSlice): Map<string, JsonValue | undefined> {
  const reading = readSlice(slice);
  const spec = reading.ok && isJsonObject(reading.value) ? reading.value['spec'] : undefined;
  const versions = isJsonObject(spec) ? spec['versions'] : undefined;
  const found = new Map<string, JsonValue | undefined>();
  for (const version of Array.isArray(versions) ? versions : []) {
    if (!isJsonObject(version)) continue;
    const schema = version['schema'];
    found.set(String(version['name']), isJsonObject(schema) ? schema['openAPIV3Schema'] : undefined);
  }
  return found;
}

/** The explanation as lines for people. */
export function explanationText({ source, report, rules, schemas: sums }: ExplainedDefinition): string {
  const lines = [`${source}: ${report.name || 'definition'} ${report.accepted ? 'accepted' : 'refused'}`];
  if (report.status) lines.push(`    ${report.status.message}`);
  for (const { version, cost, factor } of sums)
    lines.push(
      `  version ${version}: all rules together cost ${grouped(cost)} of ${grouped(String(SCHEMA_COST_LIMIT))} (${factorText(factor)})`,
    );
  for (const rule of rules) {
    lines.push('', `  ${rule.version} ${rule.path}`, `    ${rule.rule.trim().replaceAll('\n', '\n    ')}`);
    if (rule.error !== undefined) lines.push(`    does not compile: ${rule.error.split('\n', 1)[0] ?? ''}`);
    lines.push(
      `    estimate ${grouped(rule.maxCost)} × cardinality ${rule.cardinality === null ? 'unbounded' : grouped(rule.cardinality)} = ${grouped(rule.totalCost)} of ${grouped(String(EXPRESSION_COST_LIMIT))} (${factorText(rule.factor)})`,
    );
    for (const { path, bound, keyword } of rule.parents)
      lines.push(`      ${path}: ${bound === undefined ? `no ${keyword}: unbounded` : `${keyword} ${bound}`}`);
  }
  return `${lines.join('\n')}\n`;
}

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');
const factorText = (factor: number): string =>
  factor > 1
    ? `exceeds the limit ${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x`
    : `${(100 * factor).toFixed(factor < 0.001 ? 4 : 1)} %`;
