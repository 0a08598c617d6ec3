import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** The path of Chromium: from the environment, or where Debian has it. Undefined if there is none. */
export const CHROMIUM = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path): path is string => path !== undefined && existsSync(path),
);

/** Opens the browser. Containers run as root, where its sandbox does not work. */
export function openBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium here');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
