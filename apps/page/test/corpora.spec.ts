import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultOptions } from '#documents';
import type { DocumentSlice, Verdict } from '#documents';
import { isCompositeDefinition } from '#kube';
import { EngineThreads } from '#runner';
import { prepareUnqueued } from '#service';
import { pageFolder } from '../../../testing/built-page.ts';
import { thorough } from '../../../testing/thorough.ts';
import type { Evaluation } from '../src/judge/judge-client.ts';
import { NO_TEXTS } from '../src/state/texts.ts';
import type { Texts } from '../src/state/texts.ts';
import type { FromWorker } from '../src/worker/watched-worker.ts';

const CORPORA = join(import.meta.dirname, '../../../../shared/corpora');
const isHere = existsSync(join(CORPORA, 'crds'));
if (!isHere) console.warn('NO CORPORA: verdicts of the page are not compared. They lie in shared/, beside the project.');

/** Object with the type that it states. */
interface TypedObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: object;
}

/** Definition with the objects of its test cases, as JSON texts. */
interface Group {
  readonly file: string;
  readonly definition: string;
  readonly objects: readonly string[];
}

/**
 * Interval of the definitions whose verdicts are computed together with those of their objects. It covers every definition in thorough test
 * runs, and every twelfth definition in other test runs.
 */
const STEP = thorough ? 1 : 12;

/** Returns all definitions of the corpora, each with the objects that suites contain for it. */
function groups(): Group[] {
  const objects = new Map<string, string[]>();
  const suites = join(CORPORA, 'suites');
  for (const name of readdirSync(suites).filter((name) => name.endsWith('.jsonl')))
    for (const line of readFileSync(join(suites, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')) {
      const { crdFile, initial, updated } = JSON.parse(line) as { crdFile?: string; initial?: TypedObject; updated?: object };
      if (crdFile === undefined || initial === undefined) continue;
      // In a batch, a composite definition becomes the definitions that Crossplane derives from it.
      if (isCompositeDefinition(initial.apiVersion, initial.kind)) continue;
      const list = objects.get(crdFile) ?? [];
      list.push(...[initial, updated].flatMap((object) => (object === undefined ? [] : [JSON.stringify(named(object))])));
      objects.set(crdFile, list);
    }
  const files = readdirSync(CORPORA, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  return files
    .filter((_, i) => i % STEP === 0)
    .map((file) => ({ file, definition: readFileSync(join(CORPORA, file), 'utf8'), objects: objects.get(file) ?? [] }));
}

/**
 * Returns an object with a name. Test harnesses add names to the objects that they create, and a server stops checking an object that has
 * no name.
 */
const named = (object: { readonly metadata?: object }): object => ({ ...object, metadata: { name: 'case', ...object.metadata } });

/** The parts of a verdict that are compared: outcome, message, warnings and cost. */
interface Said {
  readonly outcome: string;
  readonly message: string | undefined;
  readonly warnings: readonly string[];
  readonly cost: number | undefined;
}

describe.skipIf(!isHere || !thorough)('the built worker of the page, with real definitions and objects', () => {
  let worker: Worker;
  const engine = new EngineThreads();
  beforeAll(async () => {
    const folder = await pageFolder();
    const script = readdirSync(join(folder, 'assets')).find((name) => /^worker-.*\.js$/.test(name)) ?? '';
    const workerData = { name: 'judge', script: pathToFileURL(join(folder, 'assets', script)).href };
    worker = new Worker(join(import.meta.dirname, 'worker-shim.mjs'), { workerData });
  });
  afterAll(async () => {
    await worker?.terminate();
    engine.stop();
  });

  let asked = 0;
  const judge = (texts: Texts): Promise<Evaluation> => {
    const id = asked++;
    return new Promise((resolve, reject) => {
      const hear = (message: FromWorker): void => {
        if (message.id !== id || message.kind === 'progress' || message.kind === 'alive') return;
        worker.off('message', hear);
        if (message.kind === 'answer') resolve(message.answer as Evaluation);
        else reject(new Error(JSON.stringify(message)));
      };
      worker.on('message', hear);
      worker.postMessage({ id, ask: { kind: 'evaluate', texts, minor: '1.37' } });
    });
  };

  it('gives the same verdicts as the threads of the command line', async () => {
    const counts = { definitions: 0, accepted: 0, objects: 0, refused: 0 };
    const differences: string[] = [];
    for (const { file, definition, objects } of groups()) {
      const evaluation = await judge({ ...NO_TEXTS, definitions: definition, objects: objects.join('\n---\n') });
      const ofPage = [...evaluation.definitions, ...evaluation.objects].map(({ outcome, message, warnings, cost }): Said => ({
        outcome,
        message,
        warnings,
        cost,
      }));
      const ofThreads = await byThreads(engine, definition, objects);
      for (const [i, said] of ofThreads.entries())
        if (JSON.stringify(said) !== JSON.stringify(ofPage[i]))
          differences.push(`${file} ${i}: ${JSON.stringify(said)} ${JSON.stringify(ofPage[i])}`);
      if (ofPage.length !== ofThreads.length) differences.push(`${file}: ${ofPage.length} reports, not ${ofThreads.length}`);
      counts.definitions += evaluation.definitions.length;
      counts.accepted += evaluation.definitions.filter(({ outcome }) => outcome === 'accepted').length;
      counts.objects += evaluation.objects.length;
      counts.refused += evaluation.objects.filter(({ outcome }) => outcome === 'rejected').length;
    }
    console.log(`compared: ${JSON.stringify(counts)}; differences: ${differences.length}`);
    expect(differences).toEqual([]);
    expect(counts.definitions).toBeGreaterThan(500 / STEP);
    expect(counts.objects).toBeGreaterThan(1000 / STEP);
  });
});

async function byThreads(engine: EngineThreads, definition: string, objects: readonly string[]): Promise<Said[]> {
  const slice = (text: string, notation: DocumentSlice['notation']): DocumentSlice => ({ bytes: new TextEncoder().encode(text), notation });
  const outcome = await prepareUnqueued(engine, {
    definitions: [slice(definition, 'yaml')],
    policies: [],
    cluster: [],
    options: { ...defaultOptions(), fieldValidation: 'Strict' },
  });
  if (outcome.kind !== 'answered') throw new Error(outcome.status.message);
  const { definitions, judge } = outcome.answer;
  const said: Said[] = definitions.map(({ accepted, status, warnings }) => ({
    outcome: accepted ? 'accepted' : 'rejected',
    message: status?.message,
    warnings,
    cost: undefined,
  }));
  for await (const { verdicts } of judge(objects.map((text) => slice(text, 'json'))))
    for (const text of verdicts) {
      const { outcome, status, warnings, cost } = JSON.parse(text) as Verdict;
      said.push({ outcome, message: status?.message, warnings, cost: cost?.cel });
    }
  return said;
}
