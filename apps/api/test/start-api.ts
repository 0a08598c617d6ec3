import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readApiConfig } from '../src/config.ts';
import type { Telemetry } from '#telemetry';
import { createApi } from '../src/create-api.ts';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { shareEngine } from './shared-engine.ts';

/**
 * Setting that turns off load shedding by event loop delay. A machine that runs several tests at once is delayed at times, and the tests do
 * not examine such delays.
 */
const NEVER_BUSY = { ASSAY_MAX_LOOP_DELAY_MS: '0' };

/**
 * Starts the API on a free port with a separate journal, one thread, and the settings in `variables`. All services of this process share
 * their engine.
 */
export async function startApi(
  variables: NodeJS.ProcessEnv = {},
  telemetry?: Telemetry,
): Promise<{ app: NestFastifyApplication; url: string }> {
  const journal = join(mkdtempSync(join(tmpdir(), 'assay-api-')), 'journal.sqlite');
  const config = readApiConfig({ ASSAY_JOURNAL: journal, ASSAY_THREADS: '1', ...NEVER_BUSY, ...variables });
  const app = await createApi(config, telemetry);
  shareEngine(app.get<Service>(SERVICE).host, config.threadHeapMb);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}
