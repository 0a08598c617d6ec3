import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Answer of the test server to the request of a path. */
export interface Served {
  readonly type: string;
  readonly body: string;
  /** Content-Security-Policy header of the page; absent for none. */
  readonly policy?: string;
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
];

/** Returns the path of Chromium; undefined if this machine has none. */
export function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(runnable);
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Serves the files, opens `/` in a new browser process, and waits until the page posts to `/report`. Rejects with the log of the browser if
 * the browser ends before the page posts.
 *
 * @returns text that the page posted
 */
export async function reportOfPage(chromium: string, files: Readonly<Record<string, Served>>): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'assay-chromium-'));
  const report = Promise.withResolvers<string>();
  const server = createServer((request, response) => void answer(files, request, response, report.resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = spawn(chromium, [...FLAGS, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  browser.stderr.setEncoding('utf8').on('data', (part: string) => (log += part));
  const ended = new Promise<void>((resolve) => browser.once('close', resolve));
  browser.once('error', report.reject);
  void ended.then(() => report.reject(new Error(`the browser ended without a report:\n${log}`)));
  try {
    return await report.promise;
  } finally {
    browser.kill();
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function answer(
  files: Readonly<Record<string, Served>>,
  request: IncomingMessage,
  response: ServerResponse,
  report: (text: string) => void,
): Promise<void> {
  if (request.method === 'POST') {
    report(await text(request));
    response.end();
    return;
  }
  const file = files[request.url ?? '/'];
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  const policy = file.policy === undefined ? {} : { 'content-security-policy': file.policy };
  response.writeHead(200, { 'content-type': file.type, ...policy }).end(file.body);
}
