import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { EngineHost } from '#runner';
import { AuditedEnds } from '../audit/audit-ends.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { EngineGauges } from './engine-gauges.ts';
import { EngineWork } from './engine-work.ts';

/** Starts the engine with the process and ends it with the process. */
@Injectable()
export class EngineLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly host: EngineHost,
    private readonly gauges: EngineGauges,
    private readonly work: EngineWork,
    private readonly auditedEnds: AuditedEnds,
    private readonly audit: AuditLog,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.host.start();
    this.gauges.observe();
    this.work.begin();
  }

  async onApplicationShutdown(): Promise<void> {
    const ended = this.work.end();
    this.host.stop();
    await ended;
    await this.auditedEnds.written();
    await this.work.close();
    await this.audit.close();
  }
}
