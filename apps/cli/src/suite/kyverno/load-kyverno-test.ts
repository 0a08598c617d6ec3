import type { z } from 'zod';
import { isJsonObject, writeJson, yamlLines } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { problemsOf } from '#documents';
import { UsageError } from '../../usage.ts';
import { openDefinition } from '../request-suite.ts';
import type { RequestBatch, RequestSuite, SuiteCase } from '../request-suite.ts';
import { madeInput, plainValues, SuiteFiles } from '../suite-files.ts';
import type { SuiteText } from '../suite-files.ts';
import { convertPolicy, nameOf } from './convert-policy.ts';
import type { ConvertedPolicy } from './convert-policy.ts';
import { judgeResult, kyvernoTest, kyvernoUserInfo, kyvernoValues } from './kyverno-test.ts';
import type { KyvernoRow, KyvernoTest, KyvernoValues } from './kyverno-test.ts';

/**
 * Loads a test file of `kyverno test`. The suite that it returns has one batch for each policy in the test's `results`. The batch contains
 * one test case for each resource of each result of this policy.
 */
export function loadKyvernoTest(source: SuiteText, value: JsonObject): RequestSuite {
  const { file, text } = source;
  const parsed = kyvernoTest.safeParse(plainValues(value));
  if (!parsed.success) throw new UsageError(`${file}: not a suite: ${problemsOf(parsed.error, 'test').join('; ')}`);
  const test = parsed.data;
  const files = new SuiteFiles(source);
  const lineAt = yamlLines(text);
  const lines = new Map(test.results.map((row, i) => [row, lineAt(['results', i])]));
  const table = new TestTable(test, files, lines);
  const byPolicy = Map.groupBy(test.results, ({ policy }) => policy.split('/').at(-1) ?? '');
  const empty: RequestBatch = { inputs: [], cases: [{ name: 'results', notSupported: 'the test has no results: it expects nothing' }] };
  const batches = byPolicy.size === 0 ? [empty] : [...byPolicy].map(([policy, rows]) => table.batch(policy, rows));
  return { kind: 'requests', file, name: test.metadata?.name ?? test.name ?? file, batches, files: files.names, digest: files.digest };
}

/** Kinds that create pods. Kyverno derives rules for these kinds from rules for pods. */
const POD_CONTROLLERS: ReadonlySet<unknown> = new Set([
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Job',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
]);

class TestTable {
  readonly #files: SuiteFiles;
  readonly #lines: ReadonlyMap<KyvernoRow, number | undefined>;
  readonly #world: TestWorld | { readonly notSupported: string };

  constructor(test: KyvernoTest, files: SuiteFiles, lines: ReadonlyMap<KyvernoRow, number | undefined>) {
    this.#files = files;
    this.#lines = lines;
    const notSupported = reasonAgainst(test);
    this.#world = notSupported === undefined ? worldOf(test, files) : { notSupported };
  }

  /** Returns the batch with all rows of one policy. */
  batch(policy: string, rows: readonly KyvernoRow[]): RequestBatch {
    const world = this.#world;
    if ('notSupported' in world) return this.#unsupported(rows, world.notSupported);
    const document = world.policies.find((one) => nameOf(one) === policy && !String(one['kind']).endsWith('Binding'));
    if (document === undefined) return this.#unsupported(rows, `the files of the test hold no policy ${policy}`);
    const converted = convertPolicy(document, world.policies);
    if (!converted.ok) return this.#unsupported(rows, converted.notSupported);
    const references: string[] = [];
    const cases = rows.flatMap((row) => this.#cases(row, world, converted, references));
    const { mutates, documents, paramKind } = converted;
    const definition = paramDefinition(paramKind);
    return {
      inputs: [madeInput(`policy ${policy}`, [...documents, ...world.cluster, ...(definition ? [definition] : [])])],
      cases,
      references,
      mutates,
      takesAnyKind: true,
    };
  }

  #unsupported(rows: readonly KyvernoRow[], notSupported: string): RequestBatch {
    const cases = rows.flatMap((row) => {
      const names = row.resources?.length ? row.resources : ['all resources'];
      return names.map((name) => ({ name: caseName(row, name), line: this.#lines.get(row), notSupported }));
    });
    return { inputs: [], cases };
  }

  #cases(row: KyvernoRow, world: TestWorld, { mutates }: ConvertedPolicy & { readonly ok: true }, references: string[]): SuiteCase[] {
    const line = this.#lines.get(row);
    return namedResources(row, world.resources).map(([name, object]): SuiteCase => {
      const common = { name: caseName(row, name), line };
      if (object === undefined) return { ...common, notSupported: `the files of the test hold no resource ${name}` };
      if (!RESULTS.has(row.result)) return { ...common, notSupported: `result ${JSON.stringify(row.result)}` };
      const expected = mutates && row.patchedResources !== undefined ? this.#patched(row.patchedResources, object) : undefined;
      if (mutates && row.patchedResources !== undefined && expected === undefined)
        return { ...common, notSupported: `${row.patchedResources} holds no object of that name and kind` };
      const reference = expected === undefined ? undefined : references.push(writeJson(expected)) - 1;
      const isPodController = POD_CONTROLLERS.has(object['kind']);
      return {
        ...common,
        item: itemOf(object, row.operation ?? world.operation, world.userInfo),
        end: (verdict, judged) => judgeResult(verdict, judged, { result: row.result, isPodController, reference }),
      };
    });
  }

  #patched(path: string, object: JsonObject): JsonObject | undefined {
    const all = this.#files.documents(path).map(({ document }) => document);
    const sameKind = all.filter((one) => one['kind'] === object['kind'] && nameOf(one) === nameOf(object));
    return sameKind.find((one) => namespaceOf(one) === namespaceOf(object)) ?? sameKind[0];
  }
}

const RESULTS: ReadonlySet<string> = new Set(['pass', 'fail', 'skip', 'error']);
const caseName = (row: KyvernoRow, resource: string): string =>
  `${row.policy}${row.rule ? `/${row.rule}` : ''}: ${row.kind ? `${row.kind} ` : ''}${resource}${row.operation ? ` (${row.operation})` : ''} ${row.result}`;

/** Documents and settings that all rows of a test need. */
interface TestWorld {
  readonly policies: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  /** Objects of the cluster: Namespaces, parameters and definitions. */
  readonly cluster: readonly object[];
  readonly operation: string | undefined;
  readonly userInfo: object | undefined;
}

/**
 * Returns the name of an unsupported feature because of which no part of a test can be evaluated; undefined if there is no such feature.
 */
function reasonAgainst({ exceptions, targetResources, jsonPayload, policies, resources }: KyvernoTest): string | undefined {
  if (exceptions?.length) return 'PolicyExceptions';
  if (targetResources?.length) return 'changes of objects that exist already (targetResources)';
  if (jsonPayload) return 'payloads that are no Kubernetes objects';
  const remote = [...(policies ?? []), ...(resources ?? [])].find((path) => /^https?:/.test(path));
  return remote === undefined ? undefined : `nothing is fetched: ${remote}`;
}

function worldOf(test: KyvernoTest, files: SuiteFiles): TestWorld {
  const documents = (paths: readonly string[] | null | undefined): JsonObject[] =>
    (paths ?? []).flatMap((path) => files.documents(path).map(({ document }) => document));
  const values = [test.values, test.variables === undefined ? undefined : valuesOf(files.document(test.variables), test.variables)];
  const operation = values.map((one) => one?.globalValues?.['request.operation']).find((one) => typeof one === 'string');
  const user = test.userinfo === undefined ? undefined : readAs(kyvernoUserInfo, files.document(test.userinfo), test.userinfo).userInfo;
  const namespaces = values.flatMap((one) => [
    ...(one?.namespaceSelector ?? []).map(({ name, labels }) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: labels ?? {} },
    })),
    ...(one?.namespaces ?? []).map((namespace) => ({ apiVersion: 'v1', kind: 'Namespace', ...namespace })),
  ]);
  const cluster = [...documents(test.clusterResources), ...documents(test.paramResources)];
  const resources = documents(test.resources);
  const given = new Set(namespaces.map((one) => (one as { metadata?: { name?: unknown } }).metadata?.name));
  const others = resources.filter((one) => one['kind'] === 'Namespace' && !given.has(nameOf(one)));
  return { policies: documents(test.policies), resources, cluster: [...namespaces, ...others, ...cluster], operation, userInfo: user };
}

function valuesOf(document: JsonObject, file: string): KyvernoValues {
  // Older files without `kind: Values` have the fields at the top. Newer files may have them under spec.
  return readAs(kyvernoValues, isJsonObject(document['spec']) ? document['spec'] : document, file);
}

/** Parses a document with a schema. Throws {@link UsageError} if the document is not valid. */
function readAs<Value>(schema: z.ZodType<Value>, document: JsonObject, file: string): Value {
  const parsed = schema.safeParse(plainValues(document));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${file}: ${problemsOf(parsed.error, 'document').join('; ')}`);
}

/** Name in a row, and the object with this name. The object is undefined if no object has the name. */
type NamedResource = readonly [name: string, object: JsonObject | undefined];

/** Returns the resources that a row names, with their objects. */
function namedResources(row: KyvernoRow, all: readonly JsonObject[]): NamedResource[] {
  const ofKind = all.filter((one) => row.kind === undefined || one['kind'] === row.kind);
  const specs = (row.resourceSpecs ?? []).map(({ group, version, kind, namespace, name }): NamedResource => {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const fits = (one: JsonObject): boolean =>
      nameOf(one) === name &&
      namespaceOf(one) === namespace &&
      one['apiVersion'] === apiVersion &&
      (kind === undefined || one['kind'] === kind);
    return [name, all.find(fits)];
  });
  const named = (row.resources ?? []).flatMap((resource): NamedResource[] => {
    const parts = resource.split('/');
    const name = parts.at(-1) ?? '';
    const namespace = parts.length === 2 ? parts[0] : undefined;
    const fits = (one: JsonObject): boolean =>
      nameOf(one) === name && (namespace === undefined || (namespaceOf(one) || 'default') === namespace);
    const found = ofKind.filter(fits);
    return found.length === 0 ? [[resource, undefined]] : found.map((one) => [resource, one]);
  });
  if (specs.length + named.length > 0) return [...named, ...specs];
  return ofKind.map((one) => [nameOf(one), one]);
}

function itemOf(object: JsonObject, operation: string | undefined, userInfo: object | undefined): string {
  const user = userInfo === undefined ? '' : `,"userInfo":${JSON.stringify(userInfo)}`;
  const text = writeJson(object);
  if (operation === 'DELETE') return `{"operation":"DELETE","oldObject":${text}${user}}`;
  return operation === 'UPDATE' ? `{"operation":"UPDATE","object":${text},"oldObject":${text}${user}}` : `{"object":${text}${user}}`;
}

/** Returns a definition for the kind of a policy's parameter. Returns undefined if the kind is built in or not given. */
function paramDefinition(paramKind: JsonValue | undefined): object | undefined {
  if (!isJsonObject(paramKind ?? null)) return undefined;
  const { apiVersion, kind } = paramKind as JsonObject;
  const [group = '', version] = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
  const isCustom = version !== undefined && group.includes('.') && !group.endsWith('.k8s.io');
  return isCustom && typeof kind === 'string' ? (openDefinition(group, kind, [version]) as object) : undefined;
}

const namespaceOf = ({ metadata }: JsonObject): string => {
  const namespace = isJsonObject(metadata) ? metadata['namespace'] : undefined;
  return typeof namespace === 'string' ? namespace : '';
};
