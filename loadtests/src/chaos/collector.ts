import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes traces as an OpenTelemetry collector does, until it hangs: then it accepts everything and answers nothing. */
export class HangingCollector {
  readonly #server: Server;
  readonly #unanswered = new Set<ServerResponse>();
  #hangs = false;

  private constructor() {
    this.#server = createServer((request, response) => {
      request.resume();
      request.once('end', () => (this.#hangs ? void this.#unanswered.add(response) : answer(response)));
      response.once('close', () => this.#unanswered.delete(response));
    });
  }

  static async start(): Promise<HangingCollector> {
    const collector = new HangingCollector();
    await new Promise<void>((done) => collector.#server.listen(0, '127.0.0.1', done));
    return collector;
  }

  /** What makes a process send one of ten traces here. */
  get variables(): Readonly<Record<string, string>> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    };
  }

  hang(hangs: boolean): void {
    this.#hangs = hangs;
    if (!hangs) for (const response of this.#unanswered) answer(response);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const answer = (response: ServerResponse): void => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
