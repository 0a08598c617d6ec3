// Bundles the command line and the library into dist/package: `cli` (CommonJS, for Node) and `lib` (ECMAScript modules for any runtime, and the code of
// the command line's threads, which shares the engine with it). Dependencies are bundled, too, so that starting reads a few files instead of hundreds.
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const { imports, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Folder whose content becomes the published package. */
export const PACKAGE = join(root, 'dist/package');
/** The entry of the command line. */
export const COMMAND_LINE = join(PACKAGE, 'cli/assay.cjs');
/** File that lists the modules in each file of the bundles. Its paths are relative to the project folder. */
export const BUNDLED_MODULES = join(root, 'dist/bundled-modules.json');

/**
 * Module with functions that Node 20 lacks. Code that needs these functions imports them from this module, so no global object is changed.
 */
const OLDER_NODE = join(root, 'scripts/web/older-node.mjs');

/** Returns true if loading a module has side effects. Only entry modules have side effects. All other modules only define values. */
const hasSideEffects = (id) => /\/(assay|main|vitest|start-command|start-thread)\.ts$/.test(id);

/**
 * Functions whose modules are loaded at the first call instead of at the start. Each entry has the importing file, the function, the
 * import's source, and the module that contains the function.
 *
 * ANTLR and its tables take 30 ms to load and are needed only for text with syntax errors. Schemas of options take 15 ms. The bundler wraps
 * a bundled module in a function, so a `require` of such a module reads no file.
 */
const LATE = [
  ['libs/cel/src/language/syntax/parser.ts', 'recoveredIssues', './antlr/recovered-issues.ts'],
  ['libs/documents/src/request/split-envelope.ts', 'checkOptions', '../options/options-schema.ts'],
  ['apps/library/src/calls.ts', 'checkOptions', '#documents', join(root, 'libs/documents/src/options/options-schema.ts')],
  ['libs/runner/src/thread/policies.ts', 'parsePolicyText', '#documents', join(root, 'libs/documents/src/policies/policy-text.ts')],
  ['libs/runner/src/thread/read-item.ts', 'checkWriteSettings', '#documents', join(root, 'libs/documents/src/item/item-schema.ts')],
  ['libs/runner/src/thread/judge-item.ts', 'checkRequestSettings', '#documents', join(root, 'libs/documents/src/item/item-schema.ts')],
  ['libs/runner/src/thread/recorded-write.ts', 'checkUserInfo', '#documents', join(root, 'libs/documents/src/item/item-schema.ts')],
  ['libs/runner/src/thread/main.ts', 'getHeapStatistics', 'node:v8'],
  ['apps/cli/src/options/shared-options.ts', 'checkOptions', '#documents', join(root, 'libs/documents/src/options/options-schema.ts')],
  ['apps/cli/src/options/option-values.ts', 'parse', 'yaml'],
  ['apps/cli/src/options/settings-file.ts', 'readSettingsFile', './settings-schema.ts'],
  ['apps/cli/src/report/print.ts', 'yamlText', './yaml-text.ts'],
  ['apps/cli/src/commands/evaluate/report/text.ts', 'yamlText', '../../../report/yaml-text.ts'],
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
        const others = (before, after) => (`${before}${after}`.trim() === '' ? '' : `import {${before}${after}} from '${from}';`);
        changed = changed.replace(imported, (_, before, after) => `${others(before, after)}\n${late}`);
      }
      return changed === code ? undefined : changed;
    },
  },
};

/** Names that each index of a library exports, with the module that defines the name. Created from the source text of the index. */
const indexes = new Map();
function exportsOf(entry) {
  if (indexes.has(entry)) return indexes.get(entry);
  const index = imports[entry]?.source ?? '';
  const modules = new Map();
  for (const [, names, from] of readFileSync(join(root, index), 'utf8').matchAll(/^export \{([^}]*)\} from '([^']*)';$/gm))
    for (const name of names.split(',')) modules.set(name.trim(), join(root, dirname(index), from));
  indexes.set(entry, modules);
  return modules;
}

/**
 * Plugin that makes modules import from the module that defines a name, instead of from the index of its library. If a module that is
 * loaded late imports an index, the index is loaded late, too, and then loads all modules of its library.
 *
 * Modules that import parts of the library's bundle are left unchanged ({@link ofLibrary}).
 */
export const pastIndexes = {
  name: 'past-indexes',
  transform: {
    filter: { id: /\/(libs|apps)\/.*\.ts$/ },
    handler: (code, id) =>
      id.endsWith(REGEX_USER)
        ? undefined
        : code.replaceAll(/^import \{([^}]*)\} from '(#(?!editing\/language)[\w-]+(?:\/[\w-]+)?)';$/gm, (_, names, entry) =>
            names
              .split(',')
              .map((name) => name.trim())
              .filter((name) => name !== '')
              // Some imports, such as `#runner/linker`, name a module that is no index. Such a module defines the names itself.
              .map((name) => `import { ${name} } from ${JSON.stringify(exportsOf(entry).get(name.split(' ')[0]) ?? entry)};`)
              .join(' '),
          ),
  },
};

const GRAMMAR = join(root, 'libs/cel/src/language/syntax/antlr');
const ANTLR = /\/antlr4ng\/dist\/index\.mjs$/;
let antlr;

/**
 * Plugin that replaces ANTLR's runtime by the part that is used. Two thirds of the runtime serve other purposes (XPath, a profiler, an
 * interpreter).
 *
 * A bundler keeps unused classes in a module that is loaded late. It also keeps unused classes whose static blocks set names and constants.
 * Such a block changes only its own class, so creating a class is treated as a pure call. A separate build determines which part is used.
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
  // Some of the names are types, which do not exist at run time.
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
          // Leaves out features of the parser that Assay never uses.
          .replaceAll(/\bnew (ParseTreePatternMatcher|ProfilingATNSimulator)\b/g, 'new Object')
          .replaceAll(/^var (\w+) = (class [\s\S]*?^\});$/gm, 'var $1 = /* @__PURE__ */ (() => $2)();'),
    },
  };
  const built = await rolldown({ input: 'antlr-used', cwd: root, plugins: [pure], treeshake: { moduleSideEffects: false } });
  const { output } = await built.generate({ format: 'esm' });
  await built.close();
  return output[0].code;
}

/**
 * Plugin that deflates the table of built-in kinds and types. As text, the table is a tenth of the library. Deflating reduces the table to
 * an eighth of its size. Inflating it at the first use takes 2 ms.
 */
export const deflateTable = {
  name: 'deflate-table',
  transform: {
    filter: { id: /\/policy\/src\/built-in\/table\/generated\/table\.ts$/ },
    handler(code) {
      const texts = [...code.matchAll(/^export const (\w+) = \(\): string => `\\\n([^`\\$]*)`;$/gm)];
      if (texts.length !== 2) throw new Error('the table of built-in types is not written as scripts/bundle.mjs knows it');
      const inflated = ([, name, text]) =>
        `export const ${name} = () => inflated(${JSON.stringify(deflateRawSync(text, { level: 9 }).toString('base64'))});`;
      return [
        'const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));',
        "const inflated = (text) => new TextDecoder().decode(require('fflate').inflateSync(bytes(text)));",
        ...texts.map(inflated),
      ].join('\n');
    },
  },
};

/** Plugin that removes the documentation texts from kinds of advice, because they are not used at run time. */
const dropAdviceDocs = {
  name: 'drop-advice-docs',
  transform: {
    filter: { id: /\/advice\/kinds\/[\w-]+\.ts$/ },
    handler: (code) =>
      code
        .replaceAll(/^  doc: `(?:[^`\\]|\\.)*`,\n/gm, "  doc: '',\n")
        .replaceAll(/^  example: \{[^]*?^  \},\n/gm, "  example: { before: '', after: '' },\n"),
  },
};

/** Plugin that removes the examples of functions, which only the documentation and tests use. */
const dropExamples = {
  name: 'drop-examples',
  transform: {
    filter: { id: /\/libs\/cel\/src\/library\/.*\.ts$/ },
    handler: (code) => code.replace(/^( *)examples: \[(?:.*\],\n|\n[^]*?^\1\],\n)/gm, '$1examples: [],\n'),
  },
};

/**
 * Replacements of Node modules for environments without Node. They apply only to modules that compute verdicts. The library contains no
 * other module that imports a Node module.
 */
const WEB = new Map([
  ['node:crypto', join(root, 'scripts/web/digest.mjs')],
  ['node:timers/promises', join(root, 'scripts/web/timers.mjs')],
  ['./node-linker.ts', join(root, 'libs/runner/src/thread/web-linker.ts')],
]);
export const withoutNode = {
  name: 'without-node',
  resolveId(id, importer = '') {
    const replacement = /\/libs\/(documents|runner\/src\/thread)\//.test(importer) ? WEB.get(id) : undefined;
    return replacement ?? (id.startsWith('node:') ? { id, external: true, moduleSideEffects: false } : undefined);
  },
};

/** Module of the command line that imports regular expressions from the library's bundle. */
const REGEX_USER = 'judge-violations.ts';

/** Packages that only the service needs. No module that imports them is part of the published package. */
export const SERVICE = [/^(pino|bullmq|ioredis|prom-client|@opentelemetry\/.*)$/];

/**
 * Plugin that makes the command line import parts of the library's bundle instead of containing them: regular expressions, and the language
 * service. The import paths are relative to the command line's chunks. The language service runs its engine in the process of the editors'
 * server.
 */
const ofLibrary = {
  name: 'of-library',
  resolveId(id, importer = '') {
    if (id === '#editing/language') return { id: '../../lib/language.js', external: true };
    return id === '#go' && importer.endsWith(REGEX_USER) ? { id: '../../lib/regex.js', external: true } : undefined;
  },
};

const LOAD_DRIVER = 'loadtests/src/load/send-load';
/**
 * Returns a plugin that leaves the load driver, which sends a load to a service, out of the bundle. A clone loads the compiled driver
 * beside the bundle. The package and the executable have no load driver.
 */
const loadDriverOf = (isClone) => ({
  name: 'load-driver',
  resolveId(id) {
    if (!id.endsWith(`${LOAD_DRIVER}.ts`)) return undefined;
    return isClone ? { id: `../../../${LOAD_DRIVER}.js`, external: true } : '\0no-load-driver';
  },
  load: (id) => (id === '\0no-load-driver' ? 'export {};' : undefined),
});

/** Plugin that leaves imports of modules outside of the package, such as the load driver, to the loader of the bundles. */
const importOutside = {
  name: 'import-outside',
  generateBundle(_, files) {
    for (const file of Object.values(files)) file.code = file.code?.replaceAll('import(`../', 'require.import(`../');
  },
};

/** Plugins of bundles that contain the engine. */
const ENGINE_PLUGINS = [loadLate, pastIndexes, dropAdviceDocs, dropExamples, dropUnusedAntlr, deflateTable];

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

/**
 * Returns the name of a chunk of the command line. Many modules of commands are called alike, such as `run.ts`, so the chunk has the name of
 * the command, too.
 */
function chunkOfCommand({ facadeModuleId }) {
  const [, command] = /\/commands\/([\w-]+)\//.exec(facadeModuleId ?? '') ?? [];
  return `chunks/${command === undefined ? '' : `${command}-`}[name].cjs`;
}

/** Bundles command line and library into a folder. Returns the modules that each file consists of. */
export async function bundlePackage(folder = PACKAGE) {
  const library = await bundle(
    {
      input: {
        index: 'apps/library/src/index.ts',
        testing: 'apps/library/src/testing.ts',
        vitest: 'apps/library/src/vitest.ts',
        thread: 'libs/runner/src/thread/main.ts',
        regex: 'libs/go/src/regex/regex.ts',
        language: 'libs/editing/src/language/index.ts',
      },
      platform: 'browser',
      resolve: { conditionNames: ['source', 'import', 'default'] },
      external: ['vitest', ...SERVICE],
      plugins: [withoutNode, ...ENGINE_PLUGINS],
    },
    { dir: join(folder, 'lib'), format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
  );
  const commandLine = await bundle(
    {
      input: { assay: 'apps/cli/src/assay.ts' },
      platform: 'node',
      resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
      external: SERVICE,
      plugins: [loadLate, pastIndexes, ofLibrary, loadDriverOf(folder === PACKAGE), dropAdviceDocs, importOutside],
    },
    // Node starts CommonJS faster, because an ES import of a core module reads all its exports and loads their dependencies.
    { dir: join(folder, 'cli'), format: 'cjs', entryFileNames: 'command-line.cjs', chunkFileNames: chunkOfCommand },
  );
  const loaders = await bundleLoaders(folder);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
  chmodSync(join(folder, 'cli/assay.cjs'), 0o755);
  const modules = { ...library, ...commandLine, ...loaders };
  if (folder === PACKAGE) writeFileSync(BUNDLED_MODULES, JSON.stringify(modules, null, 1));
  return modules;
}

/**
 * Bundles the programs that load the bundles of the command line and of its threads. They contain a text that identifies these bundles, so
 * that no program uses code that V8 compiled for another state of a bundle. Returns the modules of each file.
 */
async function bundleLoaders(folder) {
  const content = createHash('sha256');
  for (const file of readdirSync(folder, { recursive: true }).toSorted((a, b) => (a < b ? -1 : 1)))
    if (/\.c?js$/.test(file)) content.update(file).update(readFileSync(join(folder, file)));
  return bundle(
    {
      // A thread starts the file at ../thread/main.cjs, relative to the chunk that starts it.
      input: { assay: 'scripts/loading/start-command.ts', 'thread/main': 'scripts/loading/start-thread.ts' },
      platform: 'node',
      transform: { ...shared.transform, define: { BUILD: JSON.stringify(content.digest('hex').slice(0, 16)) } },
    },
    { dir: join(folder, 'cli'), format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'loading.cjs', cleanDir: false },
  );
}

/** Bundles the command line into two scripts for a single executable: the entry script, and the script of its threads. */
export async function bundleExecutable(folder) {
  const threadEntry = join(root, 'scripts/executable/thread-entry.mjs');
  const fromAsset = { name: 'thread-from-asset', resolveId: (id) => (id === './thread-entry.ts' ? threadEntry : undefined) };
  // An executable has no package.json beside it, so this plugin inserts the version.
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
        plugins: [fromAsset, knownVersion, loadDriverOf(false), ...ENGINE_PLUGINS],
      },
      { dir: join(folder, name), format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    );
}

/** Folder of the compiled engine host and of its threads. */
const ENGINE = join(root, 'dist/libs/runner/src');

/**
 * Bundles the program of the engine host and the program of its threads, each in one file, in place of their compiled forms. A thread then
 * reads one file instead of 600.
 */
export async function bundleEngine() {
  for (const program of ['host/main', 'thread/main'])
    await bundle(
      {
        input: { main: `libs/runner/src/${program}.ts` },
        platform: 'node',
        resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
        external: SERVICE,
        plugins: ENGINE_PLUGINS,
      },
      { dir: join(ENGINE, dirname(program)), format: 'esm', entryFileNames: '[name].js', codeSplitting: false, cleanDir: false },
    );
}

/**
 * Plugin that writes ASCII, with escapes for other characters. V8 keeps such a text in one byte for each character, and reading it decodes
 * nothing.
 */
const asAscii = {
  name: 'as-ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      file.code = file.code?.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  },
};

/** Bundles one part. Returns the modules that each of its files consists of. */
async function bundle(input, output) {
  const built = await rolldown({ ...shared, ...input, plugins: [...(input.plugins ?? []), asAscii] });
  const { output: files } = await built.write({ cleanDir: true, ...output, minify: true, comments: { legal: false } });
  await built.close();
  const modules = ({ moduleIds = [] }) => moduleIds.filter((id) => id.startsWith(root)).map((id) => relative(root, id));
  return Object.fromEntries(files.map((file) => [`${basename(output.dir)}/${file.fileName}`, modules(file)]));
}
