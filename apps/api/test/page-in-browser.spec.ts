import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { pageFolder } from '../../../testing/built-page.ts';
import { CHROMIUM, openBrowser } from '../../../testing/open-browser.ts';
import { startApi } from './start-api.ts';

if (CHROMIUM === undefined) console.warn('NO CHROMIUM: the page of the API is not tried in a browser. Set CHROMIUM, or install it.');

describe.skipIf(CHROMIUM === undefined)('the page served by the API', () => {
  let app: NestFastifyApplication;
  let url: string;
  let browser: Browser;
  /** Page that two tests share. */
  let shared: Page;
  beforeAll(async () => {
    ({ app, url } = await startApi({ ASSAY_PAGE_FOLDER: await pageFolder() }));
    browser = await openBrowser();
    shared = await browser.newPage();
    shared.setDefaultTimeout(200_000);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it('evaluates with generated code, respects its content security policy, and contacts no other host', async () => {
    const page = shared;
    const wrong: string[] = [];
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('request', (request) => request.url().startsWith(url) || wrong.push(request.url()));
    await page.goto(url);
    await page.locator('.summary.done').waitFor();
    expect(await page.locator('.summary .took').getAttribute('title')).toContain('generated code');
    expect(wrong).toEqual([]);
  });

  it.skipIf(!thorough)('shows an operator the state of the service, running evaluations, and their results', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(200_000);
    await page.goto(url);
    await page.locator('.summary.done').waitFor();
    await page.locator('header').getByRole('button', { name: 'Server' }).click();
    const panel = page.locator('#panel-server');
    await panel.getByText('readyz check passed').waitFor();
    await panel.getByRole('button', { name: 'Send my documents to the server' }).click();
    await panel.getByText('1 accepted, 1 refused').waitFor();
    await panel.getByText('complete', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Results' }).click();
    await panel.getByText('2 of 2').waitFor();
    await panel.getByLabel('Outcome').selectOption('rejected');
    await panel.getByText('1 of 2').waitFor();
    expect(await panel.locator('.report.rejected').innerText()).toContain('replicas must not be below minReplicas');
    await panel.getByLabel('Field or rule').fill('nothing like it');
    await panel.getByText('0 of 2').waitFor();
    await panel.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => panel.locator('.report').count()).toBe(0);
    await page.close();
  });

  it("studies a rule on the server only after the user asks for that, and shows the server's results and times", async () => {
    const page = shared;
    const orders: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && orders.push(new URL(request.url()).pathname));
    if (!page.url().startsWith(url)) await page.goto(url);
    await page.locator('.summary.done').waitFor();
    await page.getByRole('tab', { name: 'Benchmark' }).click();
    const panel = page.locator('#panel-benchmark');
    await panel.getByText('ready', { exact: true }).waitFor();
    const here = await panel.locator('.curve-figure h2').first().innerText();
    await panel.getByRole('button', { name: 'Measure times, too' }).click();
    await panel.getByRole('heading', { name: 'Times in this browser' }).waitFor();
    await panel.getByText('ready', { exact: true }).waitFor();
    await panel.getByLabel('On the server of this page').check();
    // The choice applies to the next study, so the page still shows the browser's times.
    await panel.getByRole('button', { name: 'Send the definition and measure' }).waitFor();
    expect(await panel.getByRole('heading', { name: 'Times in this browser' }).count()).toBe(1);
    expect(orders).toEqual([]);
    await panel.getByRole('button', { name: 'Send the definition and measure' }).click();
    await panel.getByText('ready', { exact: true }).waitFor();
    expect(await panel.locator('.curve-figure h2').first().innerText()).toBe(here);
    await panel.getByRole('button', { name: 'Measure times, too' }).click();
    await panel.getByRole('heading', { name: 'Times on the server' }).waitFor();
    await panel.getByText('ready', { exact: true }).waitFor();
    expect(orders).toEqual(['/benchmarks', '/benchmarks']);
    await panel.getByRole('button', { name: 'Measure times again' }).click();
    await panel.getByRole('button', { name: 'Stop', exact: true }).click();
    await panel.getByText('stopped; the findings so far are below').waitFor();
    const states = async (): Promise<string[]> => {
      const answer = (await (await fetch(`${url}/benchmarks`)).json()) as { readonly benchmarks: readonly { readonly state: string }[] };
      return answer.benchmarks.map(({ state }) => state);
    };
    await expect.poll(states).toEqual(['cancelled', 'complete', 'complete']);
    await panel.getByText(/^Earlier studies of /).click();
    await expect.poll(() => panel.locator('.earlier-studies tbody tr').count()).toBeGreaterThan(1);
    expect(await panel.locator('.earlier-studies a').first().getAttribute('href')).toMatch(/^\/benchmarks\/[\w-]+\/report$/);
    await panel.getByRole('button', { name: 'Compare later changes with this' }).click();
    await panel.getByRole('button', { name: 'Send the definition and measure' }).click();
    // The earlier definition is sent, too, and its curve is behind the curve of the equal rule.
    await expect.poll(() => panel.locator('.line.older').count()).toBe(1);
  });

  it.skipIf(!thorough)('has a manual with a search', async () => {
    const page = await browser.newPage();
    await page.goto(`${url}/manual/index.html`);
    await page.getByLabel('Search').fill('ratcheting');
    await page.locator('#found a').first().waitFor();
    await page.close();
  });
});
