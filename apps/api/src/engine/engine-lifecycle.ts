import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { StudyService } from '#service';
import { AuditedEnds } from '../audit/audit-ends.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { EngineGauges } from './engine-gauges.ts';
import { EngineWork } from './engine-work.ts';

/** Lifecycle hook that starts the work of the engine when the application starts, and stops it when the application shuts down. */
@Injectable()
export class EngineLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly gauges: EngineGauges,
    private readonly work: EngineWork,
    private readonly studies: StudyService,
    private readonly auditedEnds: AuditedEnds,
    private readonly audit: AuditLog,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.work.begin();
    this.gauges.observe();
    await this.studies.open();
  }

  async onApplicationShutdown(): Promise<void> {
    // Studies learn first that they are to be taken up again: what the engine answers when it stops does not end them.
    await Promise.all([this.studies.close(), this.work.end()]);
    await this.auditedEnds.written();
    await this.work.close();
    await this.audit.close();
  }
}
