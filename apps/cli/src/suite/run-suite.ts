import { applyPatches, isJsonObject, newJsonObject, readJson, readYaml } from '#kube';
import type { JsonObject, JsonValue } from '#kube';
import { checkOptions } from '#evaluation';
import type { EvaluationOptions } from '#evaluation';
import type { EngineHost } from '#runner';
import { differenceOf } from './compare-objects.ts';
import type { LoadedSuite } from './load-suite.ts';
import { SuiteServer } from './server.ts';
import type { WriteAnswer } from './server.ts';
import type { CaseResult, CreateCase, UpdateCase } from './suite.ts';

/** Undefined when a case passed, else why not. */
type Problem = string | undefined;

/** Runs a suite case by case. */
export async function* runSuite(
  { file, suite, definition }: LoadedSuite,
  options: EvaluationOptions,
  host: EngineHost,
): AsyncGenerator<CaseResult> {
  const chosen = suite.kubernetesVersion === undefined ? options : withMinor(options, suite.kubernetesVersion);
  const server = typeof chosen === 'string' ? chosen : await SuiteServer.install(definition, chosen, host);
  const cases: [name: string, run: (server: SuiteServer) => Promise<Problem>][] = [
    ...(suite.tests.onCreate ?? []).map((test): (typeof cases)[number] => [`onCreate: ${test.name}`, (ready) => runCreate(test, ready)]),
    ...(suite.tests.onUpdate ?? []).map((test): (typeof cases)[number] => [
      `onUpdate: ${test.name}`,
      (ready) => runUpdate(test, ready, definition, chosen as EvaluationOptions, host),
    ]),
  ];
  for (const [name, run] of cases) {
    const started = performance.now();
    const problem = typeof server === 'string' ? `the definition is refused: ${server}` : await run(server);
    yield {
      suite: suite.name,
      file,
      name,
      passed: problem === undefined,
      ...(problem !== undefined && { problem }),
      milliseconds: performance.now() - started,
    };
  }
}

function withMinor(options: EvaluationOptions, minor: string): EvaluationOptions | string {
  const checked = checkOptions({ ...options, kubernetesVersion: minor });
  return checked.ok ? checked.value : checked.status.message;
}

async function runCreate(test: CreateCase, server: SuiteServer): Promise<Problem> {
  const initial = objectOf(test.initial, test.resourceName);
  if (typeof initial === 'string') return `initial: ${initial}`;
  return judged(await server.create(initial), test.expectedError, test.expected);
}

async function runUpdate(
  test: UpdateCase,
  server: SuiteServer,
  definition: JsonObject,
  options: EvaluationOptions,
  host: EngineHost,
): Promise<Problem> {
  const initial = objectOf(test.initial, test.resourceName);
  if (typeof initial === 'string') return `initial: ${initial}`;
  const first = await patchedServer(test, server, definition, options, host);
  if (typeof first === 'string') return first;
  const created = await first.create(initial);
  if (!created.ok) return `the initial object is refused: ${created.message}`;
  const withStatus =
    initial['status'] === undefined ? created : await first.update(laidOver(created.stored, initial), created.stored, 'status');
  // A definition without status subresource stores the status with the create; the status write is then refused as unknown.
  const stored = withStatus.ok ? withStatus.stored : created.stored;
  const updated = objectOf(test.updated, undefined);
  if (typeof updated === 'string') return `updated: ${updated}`;
  const answer = await server.update(laidOver(stored, updated), stored);
  if (test.expectedError !== undefined || !answer.ok) return judged(answer, test.expectedError, undefined);
  if (updated['status'] === undefined) return judged(answer, undefined, test.expected);
  const status = await server.update(laidOver(answer.stored, updated), answer.stored, 'status');
  return judged(status, test.expectedStatusError, test.expected);
}

async function patchedServer(
  test: UpdateCase,
  server: SuiteServer,
  definition: JsonObject,
  options: EvaluationOptions,
  host: EngineHost,
): Promise<SuiteServer | string> {
  if (test.initialCRDPatches === undefined) return server;
  const patches = readJson(JSON.stringify(test.initialCRDPatches));
  const patched = patches.ok ? applyPatches(definition, patches.value) : patches;
  if (!patched.ok) return `initialCRDPatches: ${patched.error}`;
  const installed = await SuiteServer.install(patched.document, options, host);
  return typeof installed === 'string' ? `the patched definition is refused: ${installed}` : installed;
}

function judged(answer: WriteAnswer, expectedError: string | undefined, expected: string | undefined): Problem {
  if (expectedError !== undefined && expectedError !== '') {
    if (answer.ok) return `expected an error with ${JSON.stringify(expectedError)}, but the write is accepted`;
    return answer.message.includes(expectedError)
      ? undefined
      : `expected an error with ${JSON.stringify(expectedError)}, got: ${answer.message}`;
  }
  if (!answer.ok) return `refused: ${answer.message}`;
  if (expected === undefined) return undefined;
  const wanted = objectOf(expected, undefined);
  return typeof wanted === 'string' ? `expected: ${wanted}` : differenceOf(wanted, answer.stored);
}

/** The object of a YAML text, named and placed as the harness does; or what is wrong with it. */
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

/** What a client sends to update: the stored identity, everything else from the new object. */
function laidOver(stored: JsonObject, updated: JsonObject): JsonObject {
  const sent = Object.assign(newJsonObject(), updated);
  const metadata = Object.assign(newJsonObject(), isJsonObject(updated['metadata']) ? updated['metadata'] : undefined);
  const identity: JsonValue | undefined = stored['metadata'];
  if (isJsonObject(identity))
    for (const key of ['name', 'namespace', 'generateName', 'uid'] as const) if (identity[key] !== undefined) metadata[key] = identity[key];
  sent['metadata'] = metadata;
  return sent;
}
