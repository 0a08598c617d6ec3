import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiQuery, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { EngineHost } from '#runner';
import { SCRAPE_MEDIA_TYPE } from '#telemetry';
import type { Telemetry } from '#telemetry';
import { Drain } from '../drain.ts';
import { TELEMETRY } from '../engine/tokens.ts';
import { StorageProbe } from './storage-probe.ts';

/** Liveness, readiness and metrics, spoken as the API server speaks them. */
@ApiTags('watching')
@Controller()
export class HealthController {
  constructor(
    private readonly host: EngineHost,
    private readonly storage: StorageProbe,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    private readonly drain: Drain,
  ) {}

  /** The process answers: nothing else is asked. */
  @Get(['livez', 'healthz'])
  @ApiOperation({ summary: 'Whether the process answers' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'It does', schema: { type: 'string' } })
  live(): string {
    return 'ok';
  }

  /** Work would be taken: the queue answers, its storage takes what is written, the engine host runs, and the process is not about to end. */
  @Get('readyz')
  @ApiOperation({ summary: 'Whether work would be taken' })
  @ApiProduces('text/plain')
  @ApiQuery({ name: 'verbose', required: false, description: 'List each check' })
  @ApiOkResponse({ description: 'It would', schema: { type: 'string' } })
  @ApiServiceUnavailableResponse({ description: 'It would not: a line for each check', schema: { type: 'string' } })
  async ready(@Query('verbose') verbose: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { answers, takes } = await this.storage.state();
    const checks = { queue: answers, storage: takes, engine: this.host.ready, drain: !this.drain.draining };
    const ready = Object.values(checks).every(Boolean);
    void reply.code(ready ? 200 : 503).type('text/plain');
    const lines = Object.entries(checks).map(([name, ok]) => `[${ok ? '+' : '-'}]${name} ${ok ? 'ok' : 'failed'}`);
    const verdict = `readyz check ${ready ? 'passed' : 'failed'}`;
    return verbose === undefined && ready ? 'ok' : `${[...lines, verdict].join('\n')}\n`;
  }

  @Get('metrics')
  @ApiOperation({ summary: "Metrics in Prometheus' text format" })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'All metrics of this process', schema: { type: 'string' } })
  async metrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.type(SCRAPE_MEDIA_TYPE);
    return this.telemetry.scrape();
  }
}
