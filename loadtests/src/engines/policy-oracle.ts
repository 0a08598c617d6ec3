import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Names the program that judges policies with the plugin of k8s.io/apiserver, a case a line; its protocol is that of `npm run verdicts`. */
export const POLICY_ORACLE = 'ASSAY_POLICY_ORACLE';

/** Answers of a batch of cases, and what a case took. */
export interface OracleAnswers {
  readonly msPerCase: number;
  readonly lines: readonly string[];
}

/** The policy plugin of kube-apiserver in a process of its own. */
export class PolicyOracle {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  private constructor(program: string) {
    this.#child = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.on('error', () => this.#child.stdout.destroy());
    this.#child.stdin.on('error', () => undefined);
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Starts the program that the environment names; undefined where it names none. */
  static start(): PolicyOracle | undefined {
    const program = process.env[POLICY_ORACLE];
    return program === undefined || program === '' ? undefined : new PolicyOracle(program);
  }

  /** Asks about a case so many times; undefined where the program has ended. */
  async ask(testCase: object, times: number): Promise<OracleAnswers | undefined> {
    const line = `${JSON.stringify(testCase)}\n`;
    const started = performance.now();
    this.#child.stdin.write(line.repeat(times));
    const lines: string[] = [];
    while (lines.length < times) {
      const answer = await this.#answers.next();
      if (answer.done === true) return undefined;
      lines.push(answer.value);
    }
    return { msPerCase: (performance.now() - started) / times, lines };
  }

  close(): void {
    this.#child.stdin.end();
    this.#child.kill();
  }
}
