// Settings of Vitest for the specs that Stryker runs. The variable STRYKER_SPECS holds their patterns, as a list in JSON. Each spec has a
// process of its own, so that a mutant of a module's constant is there when the module is loaded.
import { defineConfig } from 'vitest/config';

const conditions = ['source', 'node', 'import', 'module', 'default'];
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: JSON.parse(process.env['STRYKER_SPECS'] ?? '[]'), testTimeout: 60_000, hookTimeout: 60_000 },
});
