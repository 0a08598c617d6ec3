import { basename } from 'node:path';
import { applyPatches, isJsonObject, newJsonObject, readJson, readYaml, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { checkOptions, chunkSettings, definitionText, definitionWrite, serverOf } from '#documents';
import type { EvaluationOptions, ChunkSettings, DefinitionText, Verdict } from '#documents';
import type { Engine } from '#runner';
import { differenceOf } from './compare-objects.ts';
import type { DefinitionInFile } from './find-definitions.ts';
import type { LoadedDefinitionSuite, LoadedSuite } from './load-suite.ts';
import { runRequestSuite } from './request-suite.ts';
import type { CaseResult, CreateCase, UpdateCase } from './suite.ts';
import { runChunk } from '#service';

/** Server's answer to one create or update of an object: the stored object, or the message with which the server refuses the request. */
type WriteAnswer = { readonly ok: true; readonly stored: JsonObject } | { readonly ok: false; readonly message: string };

/** Simulated API server with one definition, in memory. It accepts and refuses writes as the real API server would. */
class SuiteServer {
  readonly #host: Engine;
  readonly #text: DefinitionText;
  readonly #settings: ChunkSettings;
  /** Evaluation options as given to `install`. */
  readonly options: EvaluationOptions;

  private constructor(host: Engine, text: DefinitionText, settings: ChunkSettings, options: EvaluationOptions) {
    this.#host = host;
    this.#text = text;
    this.#settings = settings;
    this.options = options;
  }

  /** Installs a definition and returns the server. Returns the text of the refusal if a server would not accept the definition. */
  static async install(definition: JsonValue, options: EvaluationOptions, host: Engine): Promise<SuiteServer | string> {
    const slice = { bytes: Buffer.from(writeJson(definition)), notation: 'json' } as const;
    const text = definitionText(slice, serverOf(options));
    const answer = await host.run({ kind: 'judge', definition: text, rules: false, ...definitionWrite(text, options) });
    if (answer.kind !== 'done') return 'the definition ended the engine that judged it';
    const { report } = answer.result;
    if (!report.accepted) return report.status?.message ?? 'the definition was refused';
    const settings = chunkSettings([report], {
      // The definition may come from a dump (`asSent: false`), but the objects of a case count exactly as written.
      options: { ...options, returnObjects: true, asSent: true },
      deadlineAt: Number.MAX_SAFE_INTEGER,
      traceparent: undefined,
    });
    return new SuiteServer(host, text, settings, options);
  }

  create(object: JsonObject): Promise<WriteAnswer> {
    return this.#write({ object });
  }

  update(object: JsonObject, oldObject: JsonObject, subresource?: 'status'): Promise<WriteAnswer> {
    return this.#write({ object, oldObject, operation: 'UPDATE', ...(subresource && { subresource }) });
  }

  async #write(item: {
    readonly object: JsonObject;
    readonly oldObject?: JsonObject;
    readonly operation?: string;
    readonly subresource?: string;
  }): Promise<WriteAnswer> {
    const members = Object.entries(item).map(
      ([key, value]) => `${JSON.stringify(key)}:${typeof value === 'string' ? JSON.stringify(value) : writeJson(value)}`,
    );
    const slice = { bytes: Buffer.from(`{${members.join(',')}}`), notation: 'json' } as const;
    const { result } = await runChunk(
      this.#host,
      { evaluation: 'suite', index: 0, firstItem: 0, items: [slice], settings: this.#settings },
      [this.#text],
    );
    const line = result.verdicts[0] ?? '{}';
    const verdict = JSON.parse(line) as Verdict;
    if (verdict.outcome !== 'accepted') return { ok: false, message: verdict.status?.message ?? verdict.outcome };
    const reading = readJson(line);
    const stored = reading.ok && isJsonObject(reading.value) ? reading.value['object'] : undefined;
    return isJsonObject(stored) ? { ok: true, stored } : { ok: false, message: 'the engine returned no object' };
  }
}

/**
 * Returns a copy of a definition that contains only the version with the given name. The copy serves and stores this version. A schema and
 * subresources that a v1beta1 definition declares for all versions are kept. Returns undefined if the definition does not have the version.
 */
function onlyVersion(definition: JsonObject, name: string): JsonObject | undefined {
  const spec = definition['spec'];
  if (!isJsonObject(spec)) return undefined;
  const version = versionsOf(spec).find((one) => one['name'] === name);
  if (version === undefined) return undefined;
  const only = Object.assign(newJsonObject(), version, { served: true, storage: true });
  const reduced = Object.assign(newJsonObject(), spec, { versions: [only] });
  delete reduced['version'];
  return Object.assign(newJsonObject(), definition, { spec: reduced });
}

/**
 * Returns true if an API version has the status subresource. In that case, the status of an object must be set by a second request, an
 * update of /status.
 */
function hasStatusSubresource(definition: JsonObject, apiVersion: JsonValue | undefined): boolean {
  const spec = definition['spec'];
  if (!isJsonObject(spec)) return false;
  const version = versionsOf(spec).find(({ name }) => typeof apiVersion === 'string' && apiVersion.endsWith(`/${String(name)}`));
  return [version?.['subresources'], spec['subresources']].some(
    (subresources) => isJsonObject(subresources) && isJsonObject(subresources['status']),
  );
}

function versionsOf(spec: JsonObject): JsonObject[] {
  const versions = spec['versions'];
  return Array.isArray(versions) ? versions.filter(isJsonObject) : [];
}

/** Reason why a case failed; undefined if the case passed. */
type Problem = string | undefined;

/** Runs all cases of a suite and yields their results. */
export function runSuite(loaded: LoadedSuite, options: EvaluationOptions, host: Engine): AsyncGenerator<CaseResult> {
  return loaded.kind === 'requests' ? runRequestSuite(loaded, options, host) : runDefinitionSuite(loaded, options, host);
}

/**
 * Installs each variant of the definition, one after the other, and runs all cases against it. The harness of openshift/api does the same
 * with a real server.
 */
async function* runDefinitionSuite(loaded: LoadedDefinitionSuite, options: EvaluationOptions, host: Engine): AsyncGenerator<CaseResult> {
  for (const variant of loaded.variants) {
    const run = new SuiteRun(loaded, variant.definition, host);
    for await (const result of run.results(options)) yield loaded.variants.length === 1 ? result : ofVariant(result, variant);
  }
}

function ofVariant(result: CaseResult, { file }: DefinitionInFile): CaseResult {
  const variant = basename(file);
  return { ...result, name: `${result.name} [${variant}]`, variant };
}

class SuiteRun {
  readonly #loaded: LoadedDefinitionSuite;
  readonly #definition: JsonObject;
  readonly #host: Engine;

  constructor(loaded: LoadedDefinitionSuite, definition: JsonObject, host: Engine) {
    this.#loaded = loaded;
    this.#definition = definition;
    this.#host = host;
  }

  async *results(options: EvaluationOptions): AsyncGenerator<CaseResult> {
    const { file, suite, lineOf } = this.#loaded;
    const server = await this.#install(options);
    const { onCreate, onUpdate } = suite.tests;
    const cases = [
      ...(onCreate ?? []).map((test, i) => ({
        list: 'onCreate' as const,
        i,
        test,
        run: (ready: SuiteServer) => this.#create(test, ready),
      })),
      ...(onUpdate ?? []).map((test, i) => ({
        list: 'onUpdate' as const,
        i,
        test,
        run: (ready: SuiteServer) => this.#update(test, ready),
      })),
    ];
    for (const { list, i, test, run } of cases) {
      const started = performance.now();
      const problem = typeof server === 'string' ? server : await run(server);
      const line = lineOf(list, i);
      yield {
        suite: suite.name,
        file,
        ...(line !== undefined && { line }),
        name: `${list}: ${test.name}`,
        passed: problem === undefined,
        ...(problem !== undefined && { problem }),
        milliseconds: performance.now() - started,
      };
    }
  }

  /** Returns the server against which the cases run, or the reason why the definition cannot be installed. */
  async #install(options: EvaluationOptions): Promise<SuiteServer | string> {
    const { version, kubernetesVersion } = this.#loaded.suite;
    const chosen = kubernetesVersion === undefined ? options : withMinor(options, kubernetesVersion);
    if (typeof chosen === 'string') return chosen;
    const definition = version === undefined ? this.#definition : onlyVersion(this.#definition, version);
    if (definition === undefined) return `the definition has no version ${JSON.stringify(version)}`;
    const server = await SuiteServer.install(definition, chosen, this.#host);
    return typeof server === 'string' ? `the definition is refused: ${server}` : server;
  }

  async #create(test: CreateCase, server: SuiteServer): Promise<Problem> {
    const initial = objectOf(test.initial, test.resourceName);
    if (typeof initial === 'string') return `initial: ${initial}`;
    return judged(await server.create(initial), test.expectedError, expectedText(test.expected, test.initial));
  }

  async #update(test: UpdateCase, server: SuiteServer): Promise<Problem> {
    const initial = objectOf(test.initial, test.resourceName);
    if (typeof initial === 'string') return `initial: ${initial}`;
    const updated = objectOf(test.updated, undefined);
    if (typeof updated === 'string') return `updated: ${updated}`;
    const hasStatus = hasStatusSubresource(this.#definition, updated['apiVersion']);
    const writesStatus = updated['status'] !== undefined && hasStatus;
    if (test.expectedStatusError && !writesStatus)
      return `expectedStatusError, but ${hasStatus ? 'the updated object has no status' : 'the definition has no status subresource'}`;
    const first = await this.#serverBefore(test, server);
    if (typeof first === 'string') return first;
    const created = await first.create(initial);
    if (!created.ok) return `the initial object is refused: ${created.message}`;
    const withStatus =
      initial['status'] === undefined || !hasStatus
        ? created
        : await first.update(laidOver(created.stored, initial), created.stored, 'status');
    if (!withStatus.ok) return `the status of the initial object is refused: ${withStatus.message}`;
    const { stored } = withStatus;
    const answer = await server.update(laidOver(stored, updated), stored);
    const expected = expectedText(test.expected, test.updated);
    if (test.expectedError || !answer.ok || !writesStatus) return judged(answer, test.expectedError, expected);
    const status = await server.update(laidOver(answer.stored, updated), answer.stored, 'status');
    return judged(status, test.expectedStatusError, expected);
  }

  /** Returns the server that creates the initial object. If the case has patches, this server has the patched definition. */
  async #serverBefore(test: UpdateCase, server: SuiteServer): Promise<SuiteServer | string> {
    if (test.initialCRDPatches === undefined) return server;
    const patches = readJson(JSON.stringify(test.initialCRDPatches));
    const patched = patches.ok ? applyPatches(this.#definition, patches.value) : patches;
    if (!patched.ok) return `initialCRDPatches: ${patched.error}`;
    const installed = await SuiteServer.install(patched.document, server.options, this.#host);
    return typeof installed === 'string' ? `the patched definition is refused: ${installed}` : installed;
  }
}

function withMinor(options: EvaluationOptions, minor: string): EvaluationOptions | string {
  const checked = checkOptions({ ...options, kubernetesVersion: minor });
  return checked.ok ? checked.value : checked.status.message;
}

/**
 * Returns the YAML text of the expected object, or the text of the sent object if no expected object is given. Source: openshift/api
 * tests/generator.go.
 */
const expectedText = (expected: string | undefined, submitted: string): string =>
  expected === undefined || expected.trim() === '' ? submitted : expected;

function judged(answer: WriteAnswer, expectedError: string | undefined, expected: string): Problem {
  if (expectedError) {
    if (answer.ok) return `expected an error with ${JSON.stringify(expectedError)}, but the write is accepted`;
    return answer.message.includes(expectedError)
      ? undefined
      : `expected an error with ${JSON.stringify(expectedError)}, got: ${answer.message}`;
  }
  if (!answer.ok) return `refused: ${answer.message}`;
  const wanted = objectOf(expected, undefined);
  return typeof wanted === 'string' ? `expected: ${wanted}` : differenceOf(wanted, answer.stored);
}

/**
 * Parses an object from YAML as the harness of openshift/api does: sets its name to `resourceName` if given. Without any name it gets the
 * `generateName` `test-`, without a namespace `default`. Returns a problem as text if the YAML is not an object.
 */
function objectOf(text: string, resourceName: string | undefined): JsonObject | string {
  const reading = readYaml(text);
  if (!reading.ok) return reading.error;
  if (!isJsonObject(reading.value)) return 'is not an object';
  const object = reading.value;
  const metadata: JsonObject = isJsonObject(object['metadata']) ? object['metadata'] : newJsonObject();
  object['metadata'] = metadata;
  if (resourceName !== undefined) metadata['name'] = resourceName;
  else if (metadata['name'] === undefined && metadata['generateName'] === undefined) metadata['generateName'] = 'test-';
  metadata['namespace'] ??= 'default';
  return object;
}

/**
 * Returns the object that a client sends in an update. It has the `name`, `namespace`, `generateName` and `uid` of the stored object, and
 * all other fields of the updated object.
 */
function laidOver(stored: JsonObject, updated: JsonObject): JsonObject {
  const submitted = Object.assign(newJsonObject(), updated);
  const metadata = Object.assign(newJsonObject(), isJsonObject(updated['metadata']) ? updated['metadata'] : undefined);
  const identity: JsonValue | undefined = stored['metadata'];
  if (isJsonObject(identity))
    for (const key of ['name', 'namespace', 'generateName', 'uid'] as const) if (identity[key] !== undefined) metadata[key] = identity[key];
  submitted['metadata'] = metadata;
  return submitted;
}
