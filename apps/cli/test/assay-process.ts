import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { resolve } from 'node:path';

/** Returns the standard error output of a command without its progress lines, which appear only if the command takes long. */
export function withoutProgress(text: string): string {
  return text.replaceAll(/^assay: \d+ of .*\n/gm, '');
}

/** Path of the bundled command line in its published form. The bundle is built before the first spec runs. */
export const ASSAY = resolve(import.meta.dirname, '../../../dist/package/cli/assay.cjs');

/** Command line that runs as a user runs it: in a separate process, and with no stream connected to a terminal. */
export class AssayProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  stdout = '';
  stderr = '';
  /** Exit status of the process, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;

  /**
   * Starts the process.
   *
   * @param env environment variables of the process, in addition to those of this process
   * @param program arguments for Node that name the program to run
   * @param cwd working directory of the process
   */
  constructor(
    argv: readonly string[],
    env: Readonly<Record<string, string>> = {},
    program: readonly string[] = [ASSAY],
    cwd: string = process.cwd(),
  ) {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    this.#child = spawn(process.execPath, [...program, ...argv], { cwd, env: { ...process.env, ...env }, stdio });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((done) => this.#child.on('close', (code, signal) => done(code ?? signal)));
  }

  /**
   * Resolves when standard output and error output together contain the text `text` at least `times` times. Checks every 20 ms, and throws
   * if this has not happened within 250 s.
   */
  async says(text: string | RegExp, times = 1): Promise<void> {
    const deadline = performance.now() + 250_000;
    while ((this.stdout + this.stderr).split(text).length <= times) {
      if (performance.now() > deadline) throw new Error(`never said ${String(text)}: ${this.stdout}${this.stderr}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}
