import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Libraries are imported by name (`#kube`, `#cel`, …); the condition `source` makes that their TypeScript, so tests need no build.
const conditions = ['source', 'node', 'import', 'module', 'default'];

/** Specs of the engine libraries. These libraries have no processes, no clocks and no module state, so their specs can share a process. */
const ENGINE_LIBRARIES = ['go', 'kube', 'cel', 'crd', 'builtin', 'policy', 'language', 'cost-picture'].map(
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

/** Specs that judge measured times, beside a load of their own at most. They run one after another, after all other specs. */
const TIMING = ['libs/service/src/study/busy-machine.spec.ts', 'libs/benchmark/src/cells/known-growth.spec.ts'];

const OUTSIDE = ['node_modules/**', 'dist/**'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    setupFiles: [join(import.meta.dirname, 'cpu-setup.ts')],
    maxConcurrency: 2,
    // Specs of services mostly wait for processes that they started: with a third one in hand no core is idle meanwhile.
    maxWorkers: 3,
    // Tests wait for what happens, not for times: these only end what hangs, on a machine however busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Many specs start processes from source: stripping types once for all of them saves half a second of CPU for each.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    projects: [
      { extends: true, test: { name: 'engine', include: ENGINE_LIBRARIES, isolate: false } },
      {
        extends: true,
        test: { name: 'bundled', include: OF_BUNDLES, exclude: OUTSIDE, globalSetup: 'scripts/bundle-for-tests.mjs' },
      },
      {
        extends: true,
        test: { name: 'service', include: ['**/*.spec.ts'], exclude: [...OUTSIDE, ...ENGINE_LIBRARIES, ...OF_BUNDLES, ...TIMING] },
      },
      { extends: true, test: { name: 'timing', include: TIMING, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
