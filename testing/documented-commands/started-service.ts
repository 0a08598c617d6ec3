import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { ProjectCopy } from '../project-copy.ts';

/** Line with which the service tells its host and port. The line is complete when the time follows. */
const LISTENS = /Assay listens on http:\/\/(\S+) \(ready/;

/** The service that `npm start` starts in a copy of the project. */
export class StartedService {
  readonly #npm: ChildProcess;
  /** Output with which the service announced that it was ready. */
  readonly announced: string;
  /** Host and port of the service. */
  readonly address: string;

  private constructor(npm: ChildProcess, announced: string, address: string) {
    this.#npm = npm;
    this.announced = announced;
    this.address = address;
  }

  /** Starts the service and waits until it listens. Rejects with the service's output if the service ends before it listens. */
  static async start(copy: ProjectCopy): Promise<StartedService> {
    const npm = spawn('npm', ['start'], {
      cwd: copy.folder,
      env: copy.environment({ PORT: '0', ASSAY_THREADS: '1', ASSAY_MAX_LOOP_DELAY_MS: '0' }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    npm.stderr.on('data', (block: Buffer) => (output += block.toString()));
    const address = await new Promise<string>((ready, fail) => {
      npm.once('exit', () => fail(new Error(`npm start ended: ${output}`)));
      npm.stdout.on('data', (block: Buffer) => {
        output += block.toString();
        const [, told] = LISTENS.exec(output) ?? [];
        if (told !== undefined) ready(told);
      });
    });
    return new StartedService(npm, output, address);
  }

  /** Ends the service together with npm. */
  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#npm.once('exit', done));
    process.kill(-this.#npm.pid!, 'SIGTERM');
    await ended;
  }
}
