import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readApiConfig } from '../src/config.ts';
import type { Telemetry } from '#telemetry';
import { createApi } from '../src/create-api.ts';

/** A machine that runs other tests, too, is late at times: that is not what these are about. */
const NEVER_BUSY = { ASSAY_MAX_LOOP_DELAY_MS: '0' };

/** Returns the API on a free port, with a journal of its own, 2 threads, and whatever `variables` say. */
export async function startApi(
  variables: NodeJS.ProcessEnv = {},
  telemetry?: Telemetry,
): Promise<{ app: NestFastifyApplication; url: string }> {
  const journal = join(mkdtempSync(join(tmpdir(), 'assay-api-')), 'journal.sqlite');
  const app = await createApi(readApiConfig({ ASSAY_JOURNAL: journal, ASSAY_THREADS: '2', ...NEVER_BUSY, ...variables }), telemetry);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}
