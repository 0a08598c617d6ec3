import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readYaml, writeJson } from '#go';
import { PROJECT } from '../places.ts';
import { CORPORA } from './object-cases.ts';
import type { SchemaNode } from './generate-value.ts';

/** A rule of a real definition, with the schema of the node that it stands at. */
export interface CorpusRule {
  /** Definition and rule, for people. */
  readonly name: string;
  readonly rule: string;
  readonly node: SchemaNode;
}

/** Files of real definitions: those of the corpora, or the gallery where they are not beside the project. */
export function corpusFiles(): string[] {
  const corpus = join(CORPORA, 'crds');
  const folder = existsSync(corpus) ? corpus : join(PROJECT, 'examples');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => join(folder, file));
}

/** The rules of a definition that look at the present value alone, each with its node; those of a text that stands twice once. */
export function rulesOf(file: string): CorpusRule[] {
  const reading = readYaml(readFileSync(file));
  if (!reading.ok) return [];
  const document = JSON.parse(writeJson(reading.value)) as {
    kind?: string;
    spec?: { versions?: { schema?: { openAPIV3Schema?: SchemaNode } }[] };
  };
  if (document.kind !== 'CustomResourceDefinition') return [];
  const rules: CorpusRule[] = [];
  for (const version of document.spec?.versions ?? []) collect(version.schema?.openAPIV3Schema, basename(file, '.yaml'), rules);
  return [...new Map(rules.map((rule) => [rule.rule, rule])).values()];
}

function collect(node: SchemaNode | undefined, name: string, rules: CorpusRule[]): void {
  if (node === undefined || node === null) return;
  const own = node['x-kubernetes-validations'];
  if (Array.isArray(own)) {
    for (const { rule } of own as { rule?: unknown }[])
      if (typeof rule === 'string' && !rule.includes('oldSelf')) rules.push({ name: `${name}: ${rule}`, rule, node: withoutChecks(node) });
  }
  for (const child of Object.values((node['properties'] ?? {}) as Readonly<Record<string, SchemaNode>>)) collect(child, name, rules);
  for (const key of ['items', 'additionalProperties']) {
    const child = node[key];
    if (typeof child === 'object' && child !== null && !Array.isArray(child)) collect(child as SchemaNode, name, rules);
  }
}

/** What rules need of a schema: types and bounds. Other rules, patterns, list types, defaults and logic go: only the one rule is to be evaluated. */
const KEPT: ReadonlySet<string> = new Set(
  [
    ['type', 'format', 'nullable', 'maxLength', 'maxItems', 'maxProperties', 'minLength', 'minItems', 'minimum', 'maximum', 'enum'],
    ['x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'],
  ].flat(),
);

function withoutChecks(node: SchemaNode): SchemaNode {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) if (KEPT.has(key)) kept[key] = value;
  const { properties, items, additionalProperties } = node;
  if (typeof properties === 'object' && properties !== null)
    kept['properties'] = Object.fromEntries(
      Object.entries(properties as Record<string, SchemaNode>).map(([name, child]) => [name, withoutChecks(child)]),
    );
  if (typeof items === 'object' && items !== null) kept['items'] = withoutChecks(items as SchemaNode);
  if (typeof additionalProperties === 'object' && additionalProperties !== null)
    kept['additionalProperties'] = withoutChecks(additionalProperties as SchemaNode);
  else if (additionalProperties !== undefined) kept['additionalProperties'] = additionalProperties;
  return kept;
}
