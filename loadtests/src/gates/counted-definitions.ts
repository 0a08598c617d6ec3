import { EXPRESSION_WORK } from '#cel';
import { compileDefinition, judgeDefinition, SCHEMA_WORK } from '#crd';
import { isJsonObject, readYaml, utf8Bytes, writeJson } from '#go';
import type { JsonObject } from '#go';
import { LATEST_MINOR, MINORS } from '#kube';
import type { Minor } from '#kube';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { PROJECT } from '../places.ts';
import { compileRules } from '../workloads/judging.ts';
import { SMALL_DEFINITION } from '../workloads/request-bodies.ts';

/** What was done once for all that is alike in a definition. No clock, so the same everywhere. */
export interface DefinitionWork {
  /** Texts parsed, expressions checked, estimated and planned. */
  readonly parsed: number;
  readonly checked: number;
  readonly estimated: number;
  readonly planned: number;
  /** Nodes of schemas decoded, converted to structural form, planned for validation, and nodes whose rules were compiled. */
  readonly decoded: number;
  readonly converted: number;
  readonly validators: number;
  readonly ruleNodes: number;
}

/** A definition, and the work of compiling it and of judging it. */
export interface CountedDefinition {
  readonly name: string;
  readonly nodes: number;
  readonly rules: number;
  /** Compiled with the rules of all versions, by the latest minor. */
  readonly compiled: DefinitionWork;
  /** Judged as new by all minors, one after the other. */
  readonly minors: DefinitionWork;
}

/** A definition in which a type of Go stands at several fields, each time with another description, and in two versions. */
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

function routeDefinition(): JsonObject {
  const yaml = readYaml(readFileSync(join(PROJECT, 'examples/gateway-api/httproute-crd.yaml')));
  if (!yaml.ok || !isJsonObject(yaml.value)) throw new Error('the example is not readable');
  return yaml.value;
}

/** Counts the work of each definition. `apart`: equal schemas are not recognised, to show what that does. */
export function countDefinitions(apart = false): CountedDefinition[] {
  const cases: readonly (readonly [name: string, definition: JsonObject])[] = [
    ['a type at five fields of two versions', repeatedType()],
    ['HTTPRoute', routeDefinition()],
  ];
  return cases.map(([name, definition]) => countDefinition(name, JSON.stringify(definition), apart));
}

function countDefinition(name: string, json: string, apart: boolean): CountedDefinition {
  const compiled = worked(() => compileAll(documentOf(json)));
  const bytes = utf8Bytes(writeJson(documentOf(json)));
  const minors = worked(() => {
    for (const minor of MINORS) judge(bytes, minor, apart);
  });
  return { name, nodes: json.split('"type":').length - 1, rules: json.split('"rule":').length - 1, compiled, minors };
}

let copies = 0;

/** The definition, its rules in texts that nobody parsed before. */
function documentOf(json: string): JsonObject {
  const comment = ` // ${++copies}`;
  return JSON.parse(json, (key, value: unknown) => (key === 'rule' && typeof value === 'string' ? value + comment : value)) as JsonObject;
}

function judge(bytes: Uint8Array, minor: Minor, apart = false): void {
  const known = apart ? { known: { schemas: new WeakMap() } } : {};
  const { accepted, status } = judgeDefinition(bytes, undefined, { minor, contentType: 'application/json', ...known });
  if (!accepted) throw new Error(status?.message);
}

function compileAll(document: JsonObject): void {
  const outcome = compileDefinition(document, { minor: LATEST_MINOR });
  if (!outcome.ok) throw new Error(outcome.status.message);
  compileRules(outcome.definition);
}

/** What a piece of work did, of which a thread that read other definitions before knows nothing. */
function worked(work: () => void): DefinitionWork {
  const other = utf8Bytes(writeJson(SMALL_DEFINITION));
  for (let time = 0; time < 3; time++) judge(other, LATEST_MINOR);
  const before = { ...EXPRESSION_WORK, ...SCHEMA_WORK };
  work();
  const after = { ...EXPRESSION_WORK, ...SCHEMA_WORK };
  const did = (figure: keyof DefinitionWork): number => after[figure] - before[figure];
  return {
    parsed: did('parsed'),
    checked: did('checked'),
    estimated: did('estimated'),
    planned: did('planned'),
    decoded: did('decoded'),
    converted: did('converted'),
    validators: did('validators'),
    ruleNodes: did('ruleNodes'),
  };
}
