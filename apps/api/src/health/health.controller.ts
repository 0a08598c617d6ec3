import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { QueueAdapter } from '#queue';
import { EngineHost } from '#runner';
import type { Telemetry } from '#telemetry';
import { Drain } from '../drain.ts';
import { QUEUE, TELEMETRY } from '../engine/tokens.ts';

/** Liveness, readiness and metrics, spoken as the API server speaks them. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly host: EngineHost,
    @Inject(QUEUE) private readonly queue: QueueAdapter,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    private readonly drain: Drain,
  ) {}

  /** The process answers: nothing else is asked. */
  @Get(['livez', 'healthz'])
  live(): string {
    return 'ok';
  }

  /** Work would be taken: the queue answers, the engine host runs, and the process is not about to end. */
  @Get('readyz')
  async ready(@Query('verbose') verbose: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const checks = { queue: await this.#queueAnswers(), engine: this.host.ready, drain: !this.drain.draining };
    const ready = Object.values(checks).every(Boolean);
    void reply.code(ready ? 200 : 503).type('text/plain');
    const lines = Object.entries(checks).map(([name, ok]) => `[${ok ? '+' : '-'}]${name} ${ok ? 'ok' : 'failed'}`);
    const verdict = `readyz check ${ready ? 'passed' : 'failed'}`;
    return verbose === undefined && ready ? 'ok' : `${[...lines, verdict].join('\n')}\n`;
  }

  @Get('metrics')
  metrics(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.hijack();
    this.telemetry.answerScrape(request.raw, reply.raw);
  }

  async #queueAnswers(): Promise<boolean> {
    return this.queue.work.depth().then(
      () => true,
      () => false,
    );
  }
}
