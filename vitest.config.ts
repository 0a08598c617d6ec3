import { defineConfig } from 'vitest/config';

// Libraries are imported by name (`#kube`, `#cel`, …); the condition `source` makes that their TypeScript, so tests need no build.
const conditions = ['source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['**/*.spec.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    pool: 'forks',
    maxWorkers: 2,
    maxConcurrency: 2,
    // Tests wait for what happens, not for times: these only end what hangs, on a machine however busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
