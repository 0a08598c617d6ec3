import { EXPRESSION_WORK } from '#cel';
import { compileDefinition, judgeDefinition, SCHEMA_WORK, RecentDefinitions } from '#crd';
import type { DefinitionOptions } from '#crd';
import { utf8Bytes, writeJson } from '#go';
import type { JsonObject } from '#go';
import { LATEST_MINOR, MINORS } from '#kube';
import type { Minor } from '#kube';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { compileRules } from '../workloads/judging.ts';
import { SMALL_DEFINITION } from '../workloads/request-bodies.ts';
import { exampleOf } from './reading-cases.ts';

/** Kinds of work on the texts and schema nodes of a definition. Equal texts or nodes can share the result of such work. */
const FIGURES = ['parsed', 'checked', 'estimated', 'planned', 'decoded', 'converted', 'validators', 'ruleNodes'] as const;

/** Number of times that each kind of work was done. */
export type WorkCounts = Readonly<Record<(typeof FIGURES)[number], number>>;

/** Definition with the counted work of compiling it and of validating it. */
export interface CountedDefinition {
  readonly name: string;
  readonly nodes: number;
  readonly rules: number;
  /** Work of compiling the definition with the rules of all its versions, for the latest Kubernetes minor version. */
  readonly compiled: WorkCounts;
  /** Work of validating the definition as a new one in all Kubernetes minor versions, one after another. */
  readonly minors: WorkCounts;
}

/** Returns a definition with two versions in which one Go type occurs at several fields, with a different description at each field. */
function repeatedType(): JsonObject {
  const target = (field: string): unknown => ({
    type: 'object',
    description: `Where ${field} goes.`,
    properties: {
      name: { type: 'string', maxLength: 63, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' },
      port: { type: 'integer', default: 80 },
      labels: { type: 'array', maxItems: 8, items: { type: 'string', maxLength: 20 } },
    },
    'x-kubernetes-validations': [
      { rule: "has(self.name) ? self.name != '' : !has(self.port)", message: 'a port needs a name' },
      { rule: "self.labels.filter(l, l == 'a').size() < 2", message: 'a once' },
      { rule: "self.labels.all(l, l.matches('^[a-z]+$'))", message: 'small' },
      { rule: "!has(self.port) || self.port > 0 && duration('1s') < duration('2s')", message: 'a number' },
    ],
  });
  const fields = ['first', 'second', 'third', 'fourth', 'fifth'];
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, target(field)])) } },
  };
  const definition = customDefinition({ kind: 'Route', schema });
  const [v1] = definition.spec.versions;
  const versions = [v1, { ...v1, name: 'v1beta1', storage: false }];
  return { ...definition, spec: { ...definition.spec, versions } } as JsonObject;
}

/**
 * Counts the work of compiling sample definitions. If `apart` is true, equal schemas are not shared, so that tests can compare the work
 * with and without sharing.
 */
export function countDefinitions(apart = false): CountedDefinition[] {
  const cases: readonly (readonly [name: string, definition: JsonObject])[] = [
    ['a type at five fields of two versions', repeatedType()],
    ['HTTPRoute', exampleOf('gateway-api/httproute-crd.yaml')],
  ];
  return cases.map(([name, definition]) => countDefinition(name, JSON.stringify(definition), apart));
}

function countDefinition(name: string, json: string, apart: boolean): CountedDefinition {
  const compiled = worked(() => compileAll(documentOf(json)));
  const bytes = utf8Bytes(writeJson(documentOf(json)));
  const minors = worked(() => {
    const recent = new RecentDefinitions();
    for (const minor of MINORS) judge(bytes, minor, apart ? { known: { schemas: new WeakMap() } } : { recent });
  });
  return { name, nodes: json.split('"type":').length - 1, rules: json.split('"rule":').length - 1, compiled, minors };
}

let copies = 0;

/** Parses a definition and makes each rule's text unique, so that no cached result applies to the rules. */
function documentOf(json: string): JsonObject {
  const comment = ` // ${++copies}`;
  return JSON.parse(json, (key, value: unknown) => (key === 'rule' && typeof value === 'string' ? value + comment : value)) as JsonObject;
}

function judge(bytes: Uint8Array, minor: Minor, memory: Pick<DefinitionOptions, 'known' | 'recent'> = {}): void {
  const { accepted, status } = judgeDefinition(bytes, undefined, { minor, contentType: 'application/json', ...memory });
  if (!accepted) throw new Error(status?.message);
}

function compileAll(document: JsonObject): void {
  const outcome = compileDefinition(document, { minor: LATEST_MINOR });
  if (!outcome.ok) throw new Error(outcome.status.message);
  compileRules(outcome.definition);
}

/** Returns the counted work of `work` in a thread that has so far read only definitions other than the one in `work`. */
function worked(work: () => void): WorkCounts {
  const other = utf8Bytes(writeJson(SMALL_DEFINITION));
  for (let time = 0; time < 3; time++) judge(other, LATEST_MINOR);
  const before = { ...EXPRESSION_WORK, ...SCHEMA_WORK };
  work();
  const after = { ...EXPRESSION_WORK, ...SCHEMA_WORK };
  return Object.fromEntries(FIGURES.map((figure) => [figure, after[figure] - before[figure]])) as WorkCounts;
}
