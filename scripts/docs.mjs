// Writes the generated docs. With --check, fails if they differ from the declarations.
//   node --conditions=source scripts/docs.mjs [--check]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { architectureParts } from '../docs/generate/architecture-parts.ts';
import { architectureRequest } from '../docs/generate/architecture-request.ts';
import { advicePage } from '../docs/generate/advice-page.ts';
import { errorsPage } from '../docs/generate/errors-page.ts';
import { gatesPage } from '../docs/generate/gates-page.ts';
import { functionsPage } from '../docs/generate/functions-page.ts';
import { commandLinePage } from '../docs/generate/command-line-page.ts';
import { keywordsPage } from '../docs/generate/keywords-page.ts';
import { libraryPage } from '../docs/generate/library-page.ts';
import { positionsPage } from '../docs/generate/positions-page.ts';
import { projectSettingsSchema } from '../docs/generate/project-settings-schema.ts';
import { settingsPage } from '../docs/generate/settings-page.ts';
import { tenMistakesPage } from '../docs/generate/ten-mistakes-page.ts';
import { versionsPage } from '../docs/generate/versions-page.ts';
import { EngineThreads } from '../libs/runner/src/engine-threads.ts';
import { programArguments } from '../testing/program-arguments.ts';

const USAGE = `usage: npm run docs -- [--check]

--check: writes nothing, and fails if a generated page is not what the declarations say.
`;
const { check } = programArguments(USAGE, { check: { type: 'boolean', default: false } }).values;
process.chdir(join(import.meta.dirname, '..'));
// Node does not support decorators, so the API's description is loaded after the hook that transpiles them.
await import('../apps/api/test/transpile-decorators.ts');
const { httpApiPage } = await import('../docs/generate/http-api-page.ts');
// Some pages evaluate their examples, so they need an engine.
const engine = new EngineThreads();
engine.start();
const pages = {
  'docs/reference/advice.md': advicePage(),
  'docs/reference/errors.md': await errorsPage(engine),
  'docs/reference/functions.md': functionsPage(),
  'docs/reference/gates.md': gatesPage(),
  'docs/reference/http-api.md': await httpApiPage(),
  'docs/reference/keywords.md': keywordsPage(),
  'docs/reference/positions.md': positionsPage(),
  'docs/explanation/ten-mistakes.md': tenMistakesPage(),
  'docs/explanation/versions.md': await versionsPage(engine),
  'docs/reference/command-line.md': commandLinePage(),
  'docs/reference/settings.md': settingsPage(),
  'docs/reference/library.md': await libraryPage(),
  'docs/pictures/architecture-parts.svg': architectureParts(),
  'docs/pictures/architecture-request.svg': architectureRequest(),
  'docs/reference/assay-settings.schema.json': projectSettingsSchema(),
};
engine.stop();
let stale = 0;
for (const [file, text] of Object.entries(pages)) {
  if (!check) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what the declarations say: run \`npm run docs\``);
    stale++;
  }
}
process.exit(stale === 0 ? 0 : 1);
