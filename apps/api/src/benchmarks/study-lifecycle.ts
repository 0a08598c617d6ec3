import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { StudyService } from '#service';

/** Takes up studies when the process starts, and stops them before the engine and the journal close. */
@Injectable()
export class StudyLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly studies: StudyService) {}

  onApplicationBootstrap(): Promise<void> {
    return this.studies.open();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.studies.close();
  }
}
