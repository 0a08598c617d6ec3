import { Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiQuery, ApiServiceUnavailableResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SCRAPE_MEDIA_TYPE } from '#telemetry';
import { Endpoints } from '../description/endpoints.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

/** Controller for liveness, readiness and metrics. It uses the same paths and forms of answers as the API server. */
@Endpoints('watching', '')
export class HealthController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  /** Reports liveness: the process answers. Makes no further checks. */
  @Get(['livez', 'healthz'])
  @ApiOperation({ summary: 'Liveness: the process answers' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'The process answers', schema: { type: 'string' } })
  live(): string {
    return 'ok';
  }

  /**
   * Reports readiness: the engine host runs, the process is not about to end, and the storage of this process answers and accepts writes. A
   * storage that several processes share does not affect readiness, because requests can be answered without it. If a check fails, the
   * answer lists all checks, also with status 200.
   */
  @Get('readyz')
  @ApiOperation({ summary: 'Readiness: the service accepts work' })
  @ApiProduces('text/plain')
  @ApiQuery({ name: 'verbose', required: false, description: 'If present, the answer lists each check' })
  @ApiOkResponse({
    description: 'The service accepts work. If a check failed that does not stop the service, a line for each check',
    schema: { type: 'string' },
  })
  @ApiServiceUnavailableResponse({ description: 'The service accepts no work; a line for each check', schema: { type: 'string' } })
  async ready(@Query('verbose') verbose: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { answers, takes } = await this.#service.storage.state();
    const needed = { engine: this.#service.host.ready, drain: !this.#service.drain.draining };
    const stored = { queue: answers, storage: takes };
    const ready = Object.values(this.#service.storage.isShared ? needed : { ...stored, ...needed }).every(Boolean);
    void reply.code(ready ? 200 : 503).type('text/plain');
    const failed = (name: string): string =>
      `failed${this.#service.storage.isShared && name in stored ? ': asynchronous evaluations are refused' : ''}`;
    const checks = Object.entries({ ...stored, ...needed });
    const isWell = checks.every(([, ok]) => ok);
    const lines = checks.map(([name, ok]) => `[${ok ? '+' : '-'}]${name} ${ok ? 'ok' : failed(name)}`);
    const verdict = `readyz check ${ready ? `passed${isWell ? '' : ', degraded'}` : 'failed'}`;
    return verbose === undefined && isWell ? 'ok' : `${[...lines, verdict].join('\n')}\n`;
  }

  @Get('metrics')
  @ApiOperation({ summary: "Metrics in Prometheus' text format" })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'All metrics of this process', schema: { type: 'string' } })
  async metrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.type(SCRAPE_MEDIA_TYPE);
    return this.#service.telemetry.scrape();
  }
}
