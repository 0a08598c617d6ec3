import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Where Chromium is, as Debian has it, or as the environment says; undefined where there is none. */
export const CHROMIUM = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path): path is string => path !== undefined && existsSync(path),
);

/** Opens the browser. Containers run as root, where its sandbox does not work. */
export function openBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium here');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
