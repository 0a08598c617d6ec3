import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** OpenTelemetry collector for tests. It accepts traces. While it hangs, it accepts connections and requests but does not answer them. */
export interface HangingCollector {
  /** Environment variables with which a process sends a tenth of its traces to this collector. */
  readonly variables: Readonly<Record<string, string>>;
  hang(): void;
  /** Ends the hanging, and answers all requests that arrived in the meantime. */
  goOn(): void;
  stop(): void;
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<HangingCollector> {
  const unanswered = new Set<ServerResponse>();
  let hanging = false;
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => (hanging ? void unanswered.add(response) : answer(response)));
    response.once('close', () => unanswered.delete(response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
    hang: () => {
      hanging = true;
    },
    goOn: () => {
      hanging = false;
      for (const response of unanswered) answer(response);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const answer = (response: ServerResponse): void => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
