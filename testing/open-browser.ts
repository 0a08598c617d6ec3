import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Path of Chromium from the environment, or from a usual location. Undefined if no Chromium is found. */
export const CHROMIUM = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path): path is string => path !== undefined && existsSync(path),
);

/** Opens the browser without its sandbox, which does not work for the root user of containers. */
export function openBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium here');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
