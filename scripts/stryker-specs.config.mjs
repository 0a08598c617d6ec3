// Settings of Vitest for the specs that Stryker runs. The variable STRYKER_SPECS contains their patterns, as a JSON list. Each spec has its
// own process, so that a mutant of a module constant is active when the module is loaded.
import { defineConfig } from 'vitest/config';

const conditions = ['source', 'node', 'import', 'module', 'default'];
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: JSON.parse(process.env['STRYKER_SPECS'] ?? '[]'), testTimeout: 60_000, hookTimeout: 60_000 },
});
