import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Number of runs of a command that store the code that V8 compiled. Later runs use the code of the last of these runs. */
const STORING_RUNS = 3;
/** V8 copies compiled code that does not begin at a multiple of this number of bytes. */
const ALIGNMENT = 8;
/** Maximum number of folders with compiled code. There is one folder for each version of Assay, of Node and of the flags of V8. */
const MAX_FOLDERS = 8;

/**
 * Code that V8 compiled in earlier runs of a command, by the name of the source file. It contains the functions that these runs called, so
 * that a run compiles only other functions. The compile cache of Node contains no function that is compiled when it is first called.
 *
 * The first runs of a command store their code, each under another name. Each of them may call functions that earlier runs did not call.
 */
export class CompiledCode {
  readonly #path: string;
  readonly #run: number;
  readonly #parts = new Map<string, Uint8Array>();

  private constructor(path: string, run: number) {
    this.#path = path;
    this.#run = run;
  }

  /** Reads the code that the last run stored in the file `path` and a number. The code is empty if no run stored any. */
  static read(path: string): CompiledCode {
    for (let run = STORING_RUNS; run > 0; run--) {
      const code = new CompiledCode(path, run);
      if (code.#read()) return code;
    }
    return new CompiledCode(path, 0);
  }

  /** True if this run is to store its code. */
  get isOpen(): boolean {
    return this.#run < STORING_RUNS;
  }

  /** Returns the compiled code of a source file; undefined if there is none. */
  of(name: string): Uint8Array | undefined {
    return this.#parts.get(name);
  }

  /**
   * Stores the code that `made` returns, and the code of earlier runs for other source files. Does nothing if the file cannot be written,
   * because a program runs without stored code, too.
   */
  store(made: () => ReadonlyMap<string, Uint8Array>): void {
    const file = this.#fileOf(Math.min(this.#run + 1, STORING_RUNS));
    const temporary = `${file}.${process.pid}.${performance.now()}`;
    try {
      makeFolder(dirname(file));
      // Opens the file first. If that fails, the program need not create the code, which takes longer.
      const opened = openSync(temporary, 'wx', 0o600);
      try {
        writeSync(opened, bytesOf(new Map([...this.#parts, ...made()])));
      } finally {
        closeSync(opened);
      }
      renameSync(temporary, file);
      if (this.isOpen && this.#run > 0) rmSync(this.#fileOf(this.#run), { force: true });
    } catch {
      // If this fails, the next run compiles its code again.
    }
  }

  #fileOf(run: number): string {
    return `${this.#path}.${run}`;
  }

  #read(): boolean {
    try {
      const bytes = readFileSync(this.#fileOf(this.#run));
      const headerEnd = bytes.indexOf('\n');
      let at = aligned(headerEnd + 1);
      for (const [name, length] of JSON.parse(bytes.toString('latin1', 0, headerEnd)) as [string, number][]) {
        this.#parts.set(name, bytes.subarray(at, at + length));
        at = aligned(at + length);
      }
      return true;
    } catch {
      return false;
    }
  }
}

/** Makes the folder of a version. If it is new, removes the oldest folders of other versions. */
function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined) return;
  const all = dirname(folder);
  const changedMs = (name: string): number => statSync(join(all, name)).mtimeMs;
  const names = readdirSync(all).toSorted((a, b) => changedMs(b) - changedMs(a));
  for (const name of names.slice(MAX_FOLDERS)) rmSync(join(all, name), { recursive: true, force: true });
}

const aligned = (offset: number): number => Math.ceil(offset / ALIGNMENT) * ALIGNMENT;

/** Returns the content of a file with compiled code: a line of JSON with the names and lengths of the parts, and then the parts. */
function bytesOf(parts: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const header = Buffer.from(`${JSON.stringify([...parts].map(([name, { length }]) => [name, length]))}\n`);
  const bytes = new Uint8Array([...parts.values()].reduce((sum, { length }) => aligned(sum + length), aligned(header.length)));
  bytes.set(header);
  let at = aligned(header.length);
  for (const part of parts.values()) {
    bytes.set(part, at);
    at = aligned(at + part.length);
  }
  return bytes;
}
