import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type { CompiledCode } from './compiled-code.ts';

/** Function in which the code of a CommonJS module runs. */
type ModuleFunction = (exports: object, load: Load, module: LoadedModule, file: string, folder: string) => void;

/** Function that loads a module by its name or relative path. `import` loads an ECMAScript module outside of the package. */
type Load = ((id: string) => unknown) & { readonly import: (id: string) => Promise<unknown> };

interface LoadedModule {
  exports: object;
}

const WRAPPER = ['(function (exports, require, module, __filename, __dirname) {', '\n})'] as const;

/**
 * Loader of the package's own files, CommonJS and ECMAScript modules, with the code that V8 compiled in earlier runs. Files of the package
 * import one another by relative paths, and core modules of Node by name.
 *
 * An ECMAScript module runs as CommonJS here, because Node can store the compiled code of such a module only before its functions are
 * compiled.
 */
export class CodeLoader {
  readonly #folder: string;
  readonly #core: (id: string) => unknown;
  readonly #code: CompiledCode | undefined;
  readonly #modules = new Map<string, LoadedModule>();
  readonly #scripts = new Map<string, Script>();
  /** True if a file was loaded whose compiled code is missing or belongs to another state of the file. */
  #hasNew = false;

  /**
   * @param folder folder of the package
   * @param core function that loads a core module of Node
   * @param code compiled code of earlier runs; undefined if none is read or stored
   */
  constructor(folder: string, core: (id: string) => unknown, code: CompiledCode | undefined) {
    this.#folder = folder;
    this.#core = core;
    this.#code = code;
  }

  /** Loads a file of the package and the files that it imports. Returns the exports of the file. */
  load(file: string): object {
    const known = this.#modules.get(file);
    if (known) return known.exports;
    const module: LoadedModule = { exports: {} };
    this.#modules.set(file, module);
    const folder = dirname(file);
    const load: Load = Object.assign((id: string): unknown => (id.startsWith('.') ? this.load(join(folder, id)) : this.#core(id)), {
      import: (id: string): Promise<unknown> => import(pathToFileURL(join(folder, id)).href),
    });
    this.#functionOf(file)(module.exports, load, module, file, folder);
    return module.exports;
  }

  /** Stores the compiled code of the loaded files, if this run is to store it. Call it when the program ends. */
  store(): void {
    if (this.#code === undefined || !(this.#code.isOpen || this.#hasNew)) return;
    this.#code.store(() => new Map([...this.#scripts].map(([name, script]) => [name, script.createCachedData()])));
  }

  #functionOf(file: string): ModuleFunction {
    const name = relative(this.#folder, file);
    const cachedData = this.#code?.of(name) as Buffer | undefined;
    // The bundler writes ASCII, so this encoding is valid and fast.
    const source = readFileSync(file, 'latin1');
    const script = new Script(WRAPPER[0] + (file.endsWith('.js') ? asCommonJs(source) : source) + WRAPPER[1], {
      filename: file,
      columnOffset: -WRAPPER[0].length,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected === true) this.#hasNew = true;
    this.#scripts.set(name, script);
    return script.runInThisContext() as ModuleFunction;
  }
}

/**
 * Returns the source of a bundled ECMAScript module as CommonJS. The bundler writes the imports at the beginning, one export at the end,
 * and no default export. Imported values are read once, so a module must not export a variable that it changes later.
 */
export function asCommonJs(source: string): string {
  const imported = /^(?:import(?:\{[^}]*\}from)?"[^"]+";)*/.exec(source)?.[0] ?? '';
  const exportAt = source.lastIndexOf('export{');
  const code = source.slice(imported.length, exportAt < 0 ? undefined : exportAt);
  const exported = exportAt < 0 ? '' : exportsOf(source.slice(exportAt));
  return `${requires(imported)}${code.replaceAll('import(`./', '(async (id) => require(id))(`./')}${exported}`;
}

/** Returns calls of `require` for the imports of a module. */
function requires(imported: string): string {
  return imported.replaceAll(/import(?:\{([^}]*)\}from)?("[^"]+");/g, (_, names: string | undefined, from: string) =>
    names === undefined ? `require(${from});` : `const {${names.replaceAll(' as ', ': ')}} = require(${from});`,
  );
}

/** Returns statements that export the values of an export such as `export{a as b,c};`. The values may be those of another module. */
function exportsOf(statement: string): string {
  const [, names = '', from] = /^export\{([^}]*)\}(?:from("[^"]+"))?/.exec(statement) ?? [];
  const holder = from === undefined ? '' : `require(${from}).`;
  const pairs = names === '' ? [] : names.split(',').map((pair) => pair.split(' as '));
  return pairs.map(([local, name = local]) => `exports.${name} = ${holder}${local};`).join('');
}
