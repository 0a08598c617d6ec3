import { readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled, thorough } from '../../../testing/thorough.ts';
import { definitionOf, hostileDefinitions } from '../../../testing/hostile-definitions.ts';
import type { HostileDefinition } from '../../../testing/hostile-definitions.ts';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { startApi } from './start-api.ts';

/**
 * Deadline that is longer than any evaluation in these tests takes, however busy the machine is. The tests compare the answers, so no
 * deadline may end an evaluation.
 */
const DEADLINE = { ASSAY_DEADLINE_MS: '280000' };
/**
 * Maximum memory in MB that the service may hold at any time. `MAX_HOST_MB` is the maximum of the engine host. The heap of a thread is
 * bounded by `RUN_LIMITS.threadHeapMb`.
 */
const MAX_SERVICE_MB = 1_000;
const MAX_HOST_MB = 2_500;
const GOOD = definitionOf('{"type":"object","properties":{"size":{"type":"integer"}}}');

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi(DEADLINE));
});
afterAll(() => app.close());

async function judge(type: string, body: string): Promise<string> {
  const response = await fetch(`${url}/definitions`, { method: 'POST', headers: { 'content-type': type }, body });
  return `${response.status} ${await response.text()}`;
}

/** Returns the peak memory of a process in MB; undefined if the system does not report it. */
function peakMb(processId: number | undefined): number | undefined {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1];
    return peak === undefined ? undefined : Number(peak) / 1024;
  } catch {
    return undefined;
  }
}

describe('hostile definitions', () => {
  const definitions = hostileDefinitions();
  it.skipIf(!thorough).each(definitions.filter(({ long }) => long))('$name', attack);
  it.each(
    sampled(
      definitions.filter(({ long }) => !long),
      3,
    ),
  )('$name', attack);

  async function attack({ name, type, body, answer }: HostileDefinition): Promise<void> {
    const started = performance.now();
    const text = await judge(type, body);
    const milliseconds = performance.now() - started;
    const host = peakMb(app.get<Service>(SERVICE).host.processId);
    if (process.env['ASSAY_SHOW_HOSTILE'] !== undefined)
      process.stdout.write(`| ${name} | ${Math.round(milliseconds)} | ${Math.round(host ?? 0)} |\n`);
    for (const part of answer) expect(text.includes(part), `${part} in ${text.slice(0, 500)}`).toBe(true);
    expect(process.memoryUsage.rss() / 1_048_576).toBeLessThan(MAX_SERVICE_MB);
    expect(host ?? 0).toBeLessThan(MAX_HOST_MB);
    expect(await judge('application/json', GOOD)).toMatch(/^200 .*"accepted":true/s);
  }
});
