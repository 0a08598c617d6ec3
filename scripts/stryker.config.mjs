// Settings of Stryker, which `scripts/mutate.mjs` starts. The variable STRYKER_FILES contains the files and lines to change, as a JSON
// list, and STRYKER_PACKAGES contains the folder of Stryker's packages.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default {
  plugins: [join(process.env.STRYKER_PACKAGES ?? '', 'vitest-runner/dist/src/index.js')],
  testRunner: 'vitest',
  // Stryker's setting `testFiles` is not used: with it, Stryker 10 activates mutants of module constants too late, after the modules are
  // loaded.
  vitest: { configFile: 'scripts/stryker-specs.config.mjs', pool: 'forks' },
  mutate: JSON.parse(process.env.STRYKER_FILES ?? '[]'),
  // Texts would be two thirds of the mutants in some files, and most of them are parts of messages.
  mutator: { excludedMutations: ['StringLiteral'] },
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  concurrency: 2,
  logLevel: 'warn',
  allowConsoleColors: false,
  warnings: { slow: false },
  disableTypeChecks: false,
  tempDirName: join(tmpdir(), 'assay-stryker'),
  cleanTempDir: 'always',
};
