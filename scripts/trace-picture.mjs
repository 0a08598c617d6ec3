import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { openBrowser } from '../testing/open-browser.ts';

const ROOT = join(import.meta.dirname, '..');
const SIZE = { width: 1280, height: 900 };
/** Part of the text of the rules that the study measures. These rules occur in several places of the definition. */
const RULE = 'size(self.group) == 0';
/** Time for the study, and time after which its spans are in Jaeger, in ms. */
const [STUDY_MS, EXPORT_MS] = [6000, 8000];

/**
 * Starts a study (benchmark of rules) at a service that sends its traces to Jaeger, and takes a picture of the trace. The picture shows
 * the attributes of one cell of the study.
 *
 * @param jaeger Address of Jaeger, such as `http://127.0.0.1:16686`.
 * @param service Address of the service.
 * @param file Path of the picture.
 */
export async function takeTracePicture({ jaeger, service, file }) {
  const trace = await orderStudy(service);
  await pause(STUDY_MS + EXPORT_MS);
  const browser = await openBrowser();
  const page = await (await browser.newContext({ viewport: SIZE })).newPage();
  await page.goto(`${jaeger}/trace/${trace}`);
  await page.locator('.span-view').nth(5).click();
  await page.locator('.AccordianKeyValues--header').first().click();
  await page.getByText('assay.rule.path').first().waitFor();
  await page.screenshot({ path: file });
  await browser.close();
}

/** Orders a study of the example definition and returns the id of its trace. */
async function orderStudy(service) {
  const definition = parse(readFileSync(join(ROOT, 'examples/gateway-api/httproute-crd.yaml'), 'utf8'));
  const trace = randomBytes(16).toString('hex');
  const answer = await fetch(`${service}/benchmarks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` },
    body: JSON.stringify({ definitions: [definition], budget: `${STUDY_MS}ms`, times: true, rule: RULE }),
  });
  if (answer.status !== 202) throw new Error(`${service} answers POST /benchmarks with ${answer.status}: ${await answer.text()}`);
  return trace;
}
