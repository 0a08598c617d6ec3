import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A service of our own, started for one experiment. */
export interface Service {
  readonly url: string;
  readonly processId: number;
  stop(): Promise<void>;
}

/** Starts the API from dist/ on a free port, with limits lifted as experiments need, and waits until it is ready. */
export async function startService(extra: Readonly<Record<string, string>> = {}): Promise<Service> {
  const dist = resolve(import.meta.dirname, '../../..');
  const journal = mkdtempSync(join(tmpdir(), 'assay-loadtest-'));
  const child = spawn(process.execPath, ['--import', join(dist, 'apps/api/src/preload.js'), join(dist, 'apps/api/src/main.js')], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      ASSAY_ALLOW_UNLIMITED: 'true',
      ASSAY_JOURNAL: join(journal, 'journal.sqlite'),
      ...extra,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const url = await new Promise<string>((found, fail) => {
    let text = '';
    child.stdout.on('data', (block: Buffer) => {
      text += block.toString();
      const match = /listens on (http:\/\/\S+)/.exec(text);
      if (match?.[1]) found(match[1]);
    });
    child.once('exit', (code) => fail(new Error(`the service ended with code ${code} before it listened`)));
  });
  return {
    url,
    processId: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(journal, { recursive: true, force: true });
    },
  };
}
