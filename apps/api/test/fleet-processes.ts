import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testedArguments } from '../../../testing/app-arguments.ts';
import type { Role } from '../../../testing/app-arguments.ts';
import { serviceEnvironment } from './service-environment.ts';

/** Process of a fleet, started as in production, with access to its output. */
export interface FleetProcess {
  readonly url: string;
  readonly processId: number;
  /** Returns everything that the process has written to stdout and stderr so far. */
  readonly written: () => string;
  readonly terminate: () => void;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves when the process has ended and its output is complete: with its exit code, or with the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Lines with which a process reports its address: a node and an API on stdout, a worker in its log. */
const ADDRESS = /Assay listens on (\S+) \(ready|"url":"([^"]+)","msg":"worker takes chunks"/;

/**
 * Starts the service in a role, and waits until it is ready. The process reports its port, which the system chooses. If the test chose the port,
 * another process could take it, and would be mistaken for this one.
 */
export async function startProcess(role: Role, variables: NodeJS.ProcessEnv): Promise<FleetProcess> {
  const child = spawn(process.execPath, testedArguments(), {
    env: serviceEnvironment({ HOST: '127.0.0.1', PORT: '0', ASSAY_THREADS: '1', ASSAY_ROLE: role, ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (block: Buffer) => (text += block.toString()));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  const signal = (name: NodeJS.Signals): void => void child.kill(name);
  while (child.exitCode === null && child.signalCode === null) {
    const url = addressIn(text);
    if (url !== undefined && (await isReady(url)))
      return { url, processId: child.pid ?? 0, written: () => text, terminate: () => signal('SIGTERM'), signal, ended };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`a process of role ${role} did not become ready: ${text}`);
}

/** Returns the address that a process has told; undefined if it has told none yet. */
function addressIn(text: string): string | undefined {
  const [, api, worker] = ADDRESS.exec(text) ?? [];
  return api ?? worker;
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  await answer?.text();
  return answer?.ok === true;
}

/** Span in the form in which a collector receives it (OTLP/HTTP JSON). */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

/** Test server that receives spans as an OpenTelemetry collector does. */
export interface Collector {
  /** Environment variables that make a process send its telemetry to this collector. */
  readonly variables: NodeJS.ProcessEnv;
  readonly spans: readonly CollectedSpan[];
  /** Returns all received bytes as text. */
  readonly text: () => string;
  readonly stop: () => void;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<CollectedSpan, 'service'>[] }[];
  }[];
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  let text = '';
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (block: Buffer) => (body += block.toString()));
    request.on('end', () => {
      text += body;
      for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
        for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service })));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  return { variables, spans, text: () => text, stop: () => void server.close() };
}
