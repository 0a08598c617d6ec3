import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { generateFiles } from './scripts/generate/generated-files.mjs';

// Specs that are called without npm import the generated files, too.
generateFiles();

/**
 * Returns the settings of a project whose specs import libraries by name (`#kube`, `#cel`, …). The condition `source` makes
 * the names refer to the TypeScript sources, so tests need no build.
 */
const librariesOf = (form: 'source' | 'built'): Pick<ViteUserConfig, 'resolve' | 'ssr'> => {
  const conditions = [...(form === 'source' ? ['source'] : []), 'node', 'import', 'module', 'default'];
  return { resolve: { conditions }, ssr: { resolve: { conditions } } };
};
const source = librariesOf('source');

/** Specs of the engine libraries. These libraries have no processes, no clocks and no module state, so their specs can share a process. */
const ENGINE_LIBRARIES = ['numbers', 'go', 'kube', 'cel', 'crd', 'policy', 'editing', 'report/src/cost-picture'].map(
  (library) => `libs/${library}/**/*.spec.ts`,
);

/** Specs that start the bundled command line or load the bundled library. Only before them are the bundles made. */
const OF_BUNDLES = [
  'apps/cli/test/**/*.spec.ts',
  'apps/library/test/*.spec.ts',
  'conformance/test/openshift-suites.spec.ts',
  'scripts/**/*.spec.ts',
  'testing/**/*.spec.ts',
];

/**
 * Specs of the API. After a build (`npm test`, `npm run check`), they use the built libraries, whose threads load in half the time. The spec
 * of the path of a request looks for source files, so it always uses the sources.
 */
const API = 'apps/api/test/!(request-path).spec.ts';
const isBuilt = process.env['ASSAY_BUILT'] !== undefined;
const tested = librariesOf(isBuilt ? 'built' : 'source');

/** Modules that name the programs of the engine. */
const ENGINE_PROGRAMS = /(?:^|\/)(host-entry|thread-entry)\.ts$/;
/**
 * Plugin that makes specs start the built programs of the engine, each of which is one file. A thread that runs from the sources loads 600
 * files, which takes 2 s of CPU time.
 */
const builtEngine = {
  name: 'built-engine',
  enforce: 'pre' as const,
  resolveId(id: string, importer = ''): string | undefined {
    const [, name] = (importer.includes('/libs/runner/src/') && ENGINE_PROGRAMS.exec(id)) || [];
    return name === undefined ? undefined : join(import.meta.dirname, `dist/libs/runner/src/host/${name}.js`);
  },
};

/** Specs that judge measured times, beside a load of their own at most. They run one after another, after all other specs. */
const TIMING = [
  'libs/service/src/study/busy-machine.spec.ts',
  'libs/benchmark/src/cells/known-growth.spec.ts',
  'apps/cli/test/cluster/load-live.spec.ts',
  'apps/cli/test/cluster/rule-costs-live.spec.ts',
];

/** Specs that measure the memory of their process. Each of them has a process of its own. */
const MEASURING = [
  'apps/api/src/body-parsers.spec.ts',
  'apps/api/test/hostile.spec.ts',
  'libs/service/src/study/hostile-definitions.spec.ts',
];

/** Specs of half a minute or more. They start first, so that no core waits for one of them at the end. */
const SLOW_SPECS = [
  'testing/documented-commands/documented-commands.spec.ts',
  'conformance/test/floors.spec.ts',
  'loadtests/src/experiments/real-runs.spec.ts',
];

/** Order of the specs: the longest first, then Vitest's own order. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => SLOW_SPECS.some((path) => moduleId.endsWith(`/${path}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const OUTSIDE = ['node_modules/**', 'dist/**'];

export default defineConfig({
  plugins: isBuilt ? [builtEngine] : [],
  test: {
    pool: 'forks',
    // Projects of one form transform the same sources, and so does the next run.
    fsModuleCache: true,
    sequence: { sequencer: LongestFirst },
    maxConcurrency: 2,
    // Specs of services mostly wait for processes that they started: with a third one in hand no core is idle meanwhile.
    maxWorkers: 3,
    // Tests wait for what happens, not for times: these only end what hangs, on a machine however busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000 } },
    // Many specs start processes from source: stripping types once for all of them saves half a second of CPU for each.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    projects: [
      { extends: true, ...source, test: { name: 'engine', include: ENGINE_LIBRARIES, isolate: false } },
      {
        extends: true,
        ...source,
        test: {
          name: 'bundled',
          isolate: false,
          include: OF_BUNDLES,
          exclude: [...OUTSIDE, ...TIMING],
          globalSetup: 'scripts/bundle-for-tests.mjs',
        },
      },
      {
        extends: true,
        ...tested,
        test: {
          name: 'API',
          isolate: false,
          include: [API],
          exclude: MEASURING,
          server: { deps: { external: [/\/dist\//] } },
        },
      },
      {
        extends: true,
        ...source,
        test: {
          name: 'service',
          isolate: false,
          include: ['**/*.spec.ts'],
          exclude: [...OUTSIDE, ...ENGINE_LIBRARIES, ...OF_BUNDLES, API, ...MEASURING, ...TIMING],
        },
      },
      { extends: true, ...source, test: { name: 'measuring', include: MEASURING } },
      { extends: true, ...source, test: { name: 'timing', include: TIMING, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
