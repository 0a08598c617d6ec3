import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { resolve } from 'node:path';

/** Returns the standard error of a command without its progress lines, which appear if the command takes long. */
export function withoutProgress(text: string): string {
  return text.replaceAll(/^assay: \d+ of .*\n/gm, '');
}

/** The bundle, as users have it; it is made before the first spec. */
export const ASSAY = resolve(import.meta.dirname, '../../../dist/package/cli/assay.cjs');

/** The command line as a user runs it: a process of its own, with neither stream a terminal. */
export class AssayProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  stdout = '';
  stderr = '';
  /** Exit status of the process, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;

  /**
   * @param env of the process, beside that of this one
   * @param program what Node runs
   */
  constructor(argv: readonly string[], env: Readonly<Record<string, string>> = {}, program: readonly string[] = [ASSAY]) {
    this.#child = spawn(process.execPath, [...program, ...argv], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((done) => this.#child.on('close', (code, signal) => done(code ?? signal)));
  }

  /** Resolves once standard output, or error output, holds a text so many times. */
  async says(text: string, times = 1): Promise<void> {
    const deadline = performance.now() + 250_000;
    while ((this.stdout + this.stderr).split(text).length <= times) {
      if (performance.now() > deadline) throw new Error(`never said ${text}: ${this.stdout}${this.stderr}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}
