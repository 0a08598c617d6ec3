// Bundles the command line into dist/package/cli: the entry, the code of the engine's threads, and what they share.
// Dependencies are bundled, too, so that starting reads a few files instead of hundreds.
import { chmodSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** What Node 20 lacks is taken from here, by those who use it; nothing global is changed. */
const OLDER_NODE = join(root, 'scripts/older-node.mjs');

/** All modules, ours and others', do nothing but define when they are loaded, the entries excepted. */
const hasSideEffects = (id) => /\/(assay|main)\.ts$/.test(id);

/**
 * Functions whose modules are evaluated when they are first called, not at the start: by importing file, the function, where it is imported from, and
 * the module that has it. ANTLR and its tables are 30 ms of work, and only text with a syntax error is read by them; `node:crypto` takes 10 ms,
 * schemas of options 15 ms. A `require` of a bundled module loads nothing: the bundler wraps the module in a function.
 */
const LATE = [
  ['libs/cel/src/language/syntax/parser.ts', 'recoveredIssues', './antlr/recovered-issues.ts'],
  ['libs/evaluation/src/definition-digest.ts', 'createHash', 'node:crypto'],
  ['apps/cli/src/read-arguments.ts', 'checkOptions', '#evaluation', join(root, 'libs/evaluation/src/split-envelope.ts')],
  ['apps/cli/src/option-values.ts', 'load', 'js-yaml'],
  ['apps/cli/src/print.ts', 'dump', 'js-yaml'],
];
const loadLate = {
  name: 'load-late',
  transform: {
    filter: { id: /\.ts$/ },
    handler(code, id) {
      let changed = code;
      for (const [file, name, from, module = from] of LATE) {
        if (join(root, file) !== id) continue;
        const imported = new RegExp(`import \\{([^}]*)\\b${name}\\b,?([^}]*)\\} from '${from}';`);
        if (!imported.test(changed)) throw new Error(`${file} imports no ${name} from ${from}: scripts/bundle.mjs has to know`);
        const late = `const ${name} = (...given: any[]) => require(${JSON.stringify(module)}).${name}(...given);`;
        changed = changed.replace(imported, (_, before, after) => `import {${before}${after}} from '${from}';\n${late}`);
      }
      return changed === code ? undefined : changed;
    },
  },
};

export const BUNDLING = {
  cwd: root,
  plugins: [loadLate],
  resolve: { conditionNames: ['source', 'import', 'default'] },
  treeshake: { moduleSideEffects: hasSideEffects },
  transform: { inject: { 'Map.groupBy': [OLDER_NODE, 'groupBy'], 'Promise.withResolvers': [OLDER_NODE, 'withResolvers'] } },
};

/** The folder of the bundled command line; its entry is `assay.cjs`. */
export const COMMAND_LINE = join(root, 'dist/package/cli');

/** Bundles the command line. */
export async function bundleCommandLine(folder = COMMAND_LINE) {
  const bundle = await rolldown({
    ...BUNDLING,
    platform: 'node',
    // A thread is started from the file at ../thread/main.cjs, as seen from the chunk that starts it.
    input: { assay: 'apps/cli/src/assay.ts', 'thread/main': 'libs/runner/src/thread/main.ts' },
  });
  const { output } = await bundle.write({
    dir: folder,
    // Node starts CommonJS sooner: an import of a core module reads all it has, and loads what that needs.
    format: 'cjs',
    minify: true,
    cleanDir: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name].cjs',
    comments: { legal: false },
  });
  await bundle.close();
  chmodSync(join(folder, 'assay.cjs'), 0o755);
  writeFileSync(BUNDLED_MODULES, JSON.stringify(modulesOf(output), null, 1));
}

/** What each file of the bundle is made of: paths below this folder. */
export const BUNDLED_MODULES = join(root, 'dist/bundled-modules.json');

function modulesOf(output) {
  const modules = ({ moduleIds = [] }) => moduleIds.filter((id) => id.startsWith(root)).map((id) => relative(root, id));
  return Object.fromEntries(output.map((chunk) => [chunk.fileName, modules(chunk)]));
}
