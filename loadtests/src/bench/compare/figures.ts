import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Crd from '#crd';
import type * as NodeLinker from '#runner/linker';
import { writeJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { readingCases } from '../../gates/reading-cases.ts';
import { UNLIMITED } from '../../workloads/judging.ts';

/** Shortest CPU time of a measurement, in ms. It exceeds the resolution of the process's CPU clock. */
const MIN_MS = 20;

/** Names of the figures by which revisions are compared. Each figure is the CPU time of a piece of work that the name describes. */
export const FIGURES: readonly string[] = [
  'HTTPRoute: as it is written',
  'HTTPRoute: twelve rules',
  'HTTPRoute: refused by a keyword',
  '100 small objects',
  'an object of 500 apps',
  'list 30k × 100 B',
  'update of an HTTPRoute',
  'compile the HTTPRoute definition',
];

/**
 * Returns a function for each figure. A call of the function does the figure's work once, with the libraries that were built into `dist` of
 * the folder. Definitions and objects always come from the current revision.
 */
export async function worksOf(folder: string): Promise<ReadonlyMap<string, () => unknown>> {
  const load = (library: string): Promise<unknown> => import(pathToFileURL(join(folder, 'dist/libs', `${library}.js`)).href);
  const { compileStoredDefinition, validateObject } = (await load('crd/src/index')) as typeof Crd;
  const { nodeEngine } = (await load('runner/src/thread/node-linker')) as typeof NodeLinker;
  const works = new Map<string, () => unknown>();
  const compile = (definition: Parameters<typeof compileStoredDefinition>[0]): Crd.CompiledDefinition => {
    const outcome = compileStoredDefinition(definition, { minor: LATEST_MINOR, engine: nodeEngine('compiled') });
    if (!outcome.ok) throw new Error(outcome.status.message);
    return outcome.definition;
  };
  for (const { name, definition, bodies } of readingCases()) {
    if (!FIGURES.includes(name)) continue;
    const [first] = bodies;
    const version = versionOf(first);
    const compiled = compile(definition);
    const options = { costLimit: UNLIMITED, budget: UNLIMITED };
    const write = { operation: 'CREATE', contentType: 'application/json', fieldValidation: 'Warn', version } as const;
    works.set(name, () => bodies.map((body) => validateObject(compiled, { ...write, body }, options)));
    if (name !== FIGURES[0] || !first) continue;
    const created = validateObject(compiled, { ...write, body: first }, options);
    if ('cancelled' in created || !created.accepted) throw new Error('the route is not accepted');
    const body = Buffer.from(writeJson(created.object, { escapeHtml: false, keys: 'own' }));
    works.set('update of an HTTPRoute', () =>
      validateObject(compiled, { ...write, operation: 'UPDATE', body, oldObject: created.object }, options),
    );
    works.set('compile the HTTPRoute definition', () => compile(definition));
  }
  return works;
}

function versionOf(body: Uint8Array | undefined): string {
  const { apiVersion } = JSON.parse(Buffer.from(body ?? []).toString()) as { apiVersion: string };
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/**
 * Returns the mean CPU time (user and system) of one run of `work`, in µs. `work` is repeated until all runs together take at least {@link
 * MIN_MS}.
 */
export function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let times = 1; ; times++) {
    work();
    const { user, system } = process.cpuUsage(before);
    if (user + system >= 1000 * MIN_MS) return (user + system) / times;
  }
}
