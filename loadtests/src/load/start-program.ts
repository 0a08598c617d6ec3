import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** A program that an experiment started. */
export interface StartedProgram {
  readonly processId: number;
  /** Match of `ready` in the program's output. */
  readonly match: RegExpExecArray;
  /** Ends the program, and waits until it has ended. */
  stop(): Promise<void>;
}

/** The settings with which a program is started. */
export interface ProgramOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Pattern of the output line that shows that the program is ready. */
  readonly ready: RegExp;
  /** Time in ms after which a program that has not stopped is killed. */
  readonly stopMs?: number;
}

const STOP_MS = 8000;
/** Longest time in ms until a program must be ready. */
const READY_MS = 60_000;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Number of characters kept of the end of a program's output. They are reported if the program ends by itself. */
const KEPT = 2000;

/**
 * Starts a program and waits until it is ready. Fails if the program ends before it is ready.
 *
 * The program has a separate process group, so Ctrl-C reaches only the lab. The lab then ends its experiment, and afterwards its programs.
 * Programs that still run when the lab exits are killed.
 */
export async function startProgram({ name, command, args, variables, ready, stopMs = STOP_MS }: ProgramOptions): Promise<StartedProgram> {
  const child = spawn(command, args, {
    detached: true,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const ended = new Promise<void>((done) => {
    child.once('close', () => {
      running.delete(child);
      done();
    });
  });
  let wanted = false;
  let written = '';
  const stop = async (): Promise<void> => {
    wanted = true;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await ended;
    clearTimeout(late);
  };
  try {
    const match = await new Promise<RegExpExecArray>((found, fail) => {
      const read = (block: Buffer): void => {
        written = (written + block.toString()).slice(-KEPT);
        const match = ready.exec(written);
        if (match) found(match);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('error', (error) => {
        running.delete(child);
        fail(new Error(`${name} cannot be started: ${error.message}`));
      });
      child.once('exit', (code, signal) => fail(new Error(`${name} ended (${code ?? signal}) before it was ready: ${written}`)));
      setTimeout(() => fail(new Error(`${name} was not ready after ${READY_MS / 1000} s`)), READY_MS).unref();
    });
    child.once('exit', (code, signal) => {
      if (!wanted) process.stderr.write(`${name} ended by itself (${code ?? signal}): ${written}\n`);
    });
    return { processId: child.pid ?? 0, match, stop };
  } catch (error) {
    if (running.has(child)) await stop();
    throw error;
  }
}
