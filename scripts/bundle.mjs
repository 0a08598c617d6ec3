// Bundles the command line and the library into dist/package: `cli` (CommonJS, for Node) and `lib` (ECMAScript modules for any runtime, and the code of
// the command line's threads, which shares the engine with it). Dependencies are bundled, too, so that starting reads a few files instead of hundreds.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** The folder that becomes the package. */
export const PACKAGE = join(root, 'dist/package');
/** The entry of the command line. */
export const COMMAND_LINE = join(PACKAGE, 'cli/assay.cjs');
/** What each file of the bundles is made of: paths below this folder. */
export const BUNDLED_MODULES = join(root, 'dist/bundled-modules.json');

/** What Node 20 lacks is taken from here, by those who use it; nothing global is changed. */
const OLDER_NODE = join(root, 'scripts/web/older-node.mjs');

/** All modules, ours and others', do nothing but define when they are loaded, the entries excepted. */
const hasSideEffects = (id) => /\/(assay|main|vitest)\.ts$/.test(id);

/**
 * Functions whose modules are evaluated when they are first called, not at the start: by importing file, the function, where it is imported from, and
 * the module that has it. ANTLR and its tables are 30 ms of work, and only text with a syntax error is read by them; `node:crypto` takes 10 ms,
 * schemas of options 15 ms. A `require` of a bundled module loads nothing: the bundler wraps the module in a function.
 */
const LATE = [
  ['libs/cel/src/language/syntax/parser.ts', 'recoveredIssues', './antlr/recovered-issues.ts'],
  ['libs/evaluation/src/definition-digest.ts', 'createHash', 'node:crypto'],
  ['apps/cli/src/shared-options.ts', 'checkOptions', '#evaluation', join(root, 'libs/evaluation/src/split-envelope.ts')],
  ['apps/cli/src/option-values.ts', 'parse', 'yaml'],
  ['apps/cli/src/read-arguments.ts', 'findSettings', './settings-file.ts'],
  ['apps/cli/src/print.ts', 'stringify', 'yaml'],
];
export const loadLate = {
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

const GRAMMAR = join(root, 'libs/cel/src/language/syntax/antlr');
const ANTLR = /\/antlr4ng\/dist\/index\.mjs$/;
let antlr;

/**
 * Of ANTLR's run time two thirds are for other uses than ours (XPath, a profiler, an interpreter). A bundler takes them out neither of a module that is evaluated late, nor
 * while static blocks set names and constants of each class: these touch nothing but their class, so that making one is a pure call. What is left is found first, by itself.
 */
export const dropUnusedAntlr = {
  name: 'drop-unused-antlr',
  load: {
    filter: { id: ANTLR },
    handler: (id) => (antlr ??= usedOfAntlr(id)),
  },
};

async function usedOfAntlr(id) {
  const sources = readdirSync(GRAMMAR, { recursive: true }).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const texts = sources.map((name) => readFileSync(join(GRAMMAR, name), 'utf8'));
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/^import \{([^}]*)\} from ['"]antlr4ng['"];$/gm)].flatMap(([, names]) => names.split(',')),
  );
  const named = texts.flatMap((text) => [...text.matchAll(/\bantlr\.(\w+)/g)].map(([, name]) => name));
  const whole = readFileSync(id, 'utf8');
  // Some are types, which are not there.
  const isValue = (name) => new RegExp(`^(var|let|const|function|class) ${name}\\b`, 'm').test(whole);
  const names = [...new Set([...imported, ...named].map((name) => name.trim()))].filter((name) => name !== '' && isValue(name));
  const pure = {
    name: 'pure-classes',
    resolveId: (source) => (source === 'antlr-used' ? '\0antlr-used' : undefined),
    load: (source) => (source === '\0antlr-used' ? `export { ${names.join(', ')} } from ${JSON.stringify(id)};` : undefined),
    transform: {
      filter: { id: ANTLR },
      handler: (code) =>
        code
          .replaceAll(/static \{\s*__name\(this, "\w+"\);\s*\}/g, '')
          // What a parser can do and is never asked for.
          .replaceAll(/\bnew (ParseTreePatternMatcher|ProfilingATNSimulator)\b/g, 'new Object')
          .replaceAll(/^var (\w+) = (class [\s\S]*?^\});$/gm, 'var $1 = /* @__PURE__ */ (() => $2)();'),
    },
  };
  const built = await rolldown({ input: 'antlr-used', cwd: root, plugins: [pure], treeshake: { moduleSideEffects: false } });
  const { output } = await built.generate({ format: 'esm' });
  await built.close();
  return output[0].code;
}

/** The table of built-in kinds and types is a tenth of the library as text, and an eighth of that deflated. It is inflated when it is first asked for: 2 ms. */
export const deflateTable = {
  name: 'deflate-table',
  transform: {
    filter: { id: /\/builtin\/src\/table\/generated\/table\.ts$/ },
    handler(code) {
      const texts = [...code.matchAll(/^export const (\w+) = \(\): string => `\\\n([^`\\$]*)`;$/gm)];
      if (texts.length !== 2) throw new Error('the table of built-in types is not written as scripts/bundle.mjs knows it');
      const inflated = ([, name, text]) =>
        `export const ${name} = () => inflated(${JSON.stringify(deflateRawSync(text, { level: 9 }).toString('base64'))});`;
      return [
        "import { inflateSync } from 'fflate';",
        'const inflated = (text) => new TextDecoder().decode(inflateSync(Uint8Array.from(atob(text), (character) => character.charCodeAt(0))));',
        ...texts.map(inflated),
      ].join('\n');
    },
  },
};

/** Kinds of advice carry what their documentation is made of; nobody reads that at run time. */
const dropAdviceDocs = {
  name: 'drop-advice-docs',
  transform: {
    filter: { id: /\/advice\/kinds\/[\w-]+\.ts$/ },
    handler: (code) =>
      code
        .replace(/^  doc: `(?:[^`\\]|\\.)*`,\n/m, "  doc: '',\n")
        .replace(/^  example: \{[^]*?^  \},\n/m, "  example: { before: '', after: '' },\n"),
  },
};

/** Examples of functions are for the documentation and for tests. */
const dropExamples = {
  name: 'drop-examples',
  transform: {
    filter: { id: /\/libs\/cel\/src\/library\/.*\.ts$/ },
    handler: (code) => code.replace(/^( *)examples: \[(?:.*\],\n|\n[^]*?^\1\],\n)/gm, '$1examples: [],\n'),
  },
};

/** What stands in for Node where there may be none, for what judges; what else imports it is not in the library. */
const WEB = new Map([
  ['node:crypto', join(root, 'scripts/web/digest.mjs')],
  ['node:timers/promises', join(root, 'scripts/web/timers.mjs')],
  ['./node-linker.ts', join(root, 'libs/runner/src/thread/web-linker.ts')],
]);
export const withoutNode = {
  name: 'without-node',
  resolveId(id, importer = '') {
    const replacement = /\/libs\/(evaluation|runner\/src\/thread)\//.test(importer) ? WEB.get(id) : undefined;
    return replacement ?? (id.startsWith('node:') ? { id, external: true, moduleSideEffects: false } : undefined);
  },
};

/** Only the service needs these; nothing of the package imports what imports them. */
export const SERVICE = [/^(pino|bullmq|ioredis|prom-client|@opentelemetry\/.*)$/];

/**
 * What the command line takes from the library's bundle, as seen from its chunks: regular expressions, and the language service, which has the engine in the process of
 * the editors' server.
 */
const ofLibrary = {
  name: 'of-library',
  resolveId(id, importer = '') {
    if (id === '#language') return { id: '../../lib/language.js', external: true };
    return id === '#go' && importer.endsWith('judge-violations.ts') ? { id: '../../lib/regex.js', external: true } : undefined;
  },
};

const LOAD_DRIVER = 'loadtests/src/load/send-load';
/** What drives loads is not bundled: the clone has it as it is compiled beside the bundle, and the package and the executable have none. */
const loadDriverOf = (isClone) => ({
  name: 'load-driver',
  resolveId(id) {
    if (!id.endsWith(`${LOAD_DRIVER}.ts`)) return undefined;
    return isClone ? { id: `../../../${LOAD_DRIVER}.js`, external: true } : '\0no-load-driver';
  },
  load: (id) => (id === '\0no-load-driver' ? 'export {};' : undefined),
});

const shared = {
  cwd: root,
  treeshake: { moduleSideEffects: hasSideEffects },
  transform: {
    target: 'es2023',
    inject: {
      'Map.groupBy': [OLDER_NODE, 'groupBy'],
      'Promise.withResolvers': [OLDER_NODE, 'withResolvers'],
      'Array.fromAsync': [OLDER_NODE, 'fromAsync'],
    },
  },
};

/** Bundles command line and library into a folder; says what their files are made of. */
export async function bundlePackage(folder = PACKAGE) {
  const library = await bundle(
    {
      input: {
        index: 'apps/library/src/index.ts',
        testing: 'apps/library/src/testing.ts',
        vitest: 'apps/library/src/vitest.ts',
        thread: 'libs/runner/src/thread/main.ts',
        regex: 'libs/go/src/regex/regex.ts',
        language: 'libs/language/src/index.ts',
      },
      platform: 'browser',
      resolve: { conditionNames: ['source', 'import', 'default'] },
      external: ['vitest', ...SERVICE],
      plugins: [withoutNode, loadLate, dropAdviceDocs, dropExamples, dropUnusedAntlr, deflateTable],
    },
    { dir: join(folder, 'lib'), format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
  );
  const commandLine = await bundle(
    {
      input: { assay: 'apps/cli/src/assay.ts' },
      platform: 'node',
      resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
      external: SERVICE,
      plugins: [loadLate, ofLibrary, loadDriverOf(folder === PACKAGE), dropAdviceDocs],
    },
    // Node starts CommonJS sooner: an import of a core module reads all it has, and loads what that needs.
    { dir: join(folder, 'cli'), format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name].cjs' },
  );
  // A thread is started from the file at ../thread/main.cjs, as seen from the chunk that starts it.
  mkdirSync(join(folder, 'cli/thread'), { recursive: true });
  writeFileSync(join(folder, 'cli/thread/main.cjs'), "void import('../../lib/thread.js');\n");
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
  chmodSync(join(folder, 'cli/assay.cjs'), 0o755);
  const modules = { ...library, ...commandLine };
  if (folder === PACKAGE) writeFileSync(BUNDLED_MODULES, JSON.stringify(modules, null, 1));
  return modules;
}

/** Bundles the command line into two scripts for a single executable: the entry, and what a thread runs. */
export async function bundleExecutable(folder) {
  const threadEntry = join(root, 'scripts/executable/thread-entry.mjs');
  const fromAsset = { name: 'thread-from-asset', resolveId: (id) => (id === './thread-entry.ts' ? threadEntry : undefined) };
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // No package.json lies beside an executable.
  const knownVersion = {
    name: 'known-version',
    load: { filter: { id: /\/package-version\.ts$/ }, handler: () => `export const packageVersion = () => ${JSON.stringify(version)};` },
  };
  for (const [name, input] of [
    ['thread', 'libs/runner/src/thread/main.ts'],
    ['assay', 'apps/cli/src/assay.ts'],
  ])
    await bundle(
      {
        input: { [name]: input },
        platform: 'node',
        resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
        external: SERVICE,
        plugins: [fromAsset, knownVersion, loadDriverOf(false), loadLate, dropAdviceDocs, dropExamples, dropUnusedAntlr, deflateTable],
      },
      { dir: join(folder, name), format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    );
}

/** Bundles one part; says which modules each of its files is made of. */
async function bundle(input, output) {
  const built = await rolldown({ ...shared, ...input });
  const { output: files } = await built.write({ ...output, minify: true, cleanDir: true, comments: { legal: false } });
  await built.close();
  const modules = ({ moduleIds = [] }) => moduleIds.filter((id) => id.startsWith(root)).map((id) => relative(root, id));
  return Object.fromEntries(files.map((file) => [`${basename(output.dir)}/${file.fileName}`, modules(file)]));
}
