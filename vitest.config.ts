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
    testTimeout: 30_000,
  },
});
