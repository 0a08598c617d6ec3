import { setTimeout } from 'node:timers/promises';
import { customDefinition } from '../../../testing/custom-definition.ts';
import type { End, Ending, Line } from './clients.ts';
import { answeredOrAway, exchange, PATIENCE_MS } from './exchange.ts';

/**
 * Number that identifies the first rule of the study among the subjects, whose verdicts are compared. The further rules have the following
 * numbers.
 */
export const FIRST_RULE = 1000;
/** Rules that the study of a fault run measures. */
const RULES = ['self.all(a, self.all(b, a != b || a == b))', 'self.size() < 100'];
export const STUDIED: readonly number[] = RULES.map((_, i) => FIRST_RULE + i);

const ORDER = JSON.stringify({ definitions: [studiedDefinition()], budget: '20s', times: false, seed: 1 });

function studiedDefinition(): unknown {
  const items = { type: 'string', maxLength: 20 };
  const list = { type: 'array', maxItems: 12, items, 'x-kubernetes-validations': RULES.map((rule) => ({ rule })) };
  const schema = { type: 'object', properties: { list } };
  return customDefinition({ group: 'priced.assay.example.com', kind: 'Studied', scope: 'Cluster', schema });
}

/** Orders a study of rules and follows it to its end. The returned ending contains one line for each rule of the study. */
export async function followStudy(url: string, ending: End): Promise<Ending> {
  const ordered = await exchange(`${url}/benchmarks`, ORDER, {});
  if (ordered.status !== 202 || !ordered.whole)
    return ending(ordered.status === 0 || ordered.status === 202 ? 'broken' : 'refused', [], ordered.status, ordered.text);
  const { id } = JSON.parse(ordered.text) as { id: string };
  for (let waitedMs = 0; waitedMs < 2 * PATIENCE_MS;) {
    const requestedAt = performance.now();
    const answer = await answeredOrAway(exchange(`${url}/benchmarks/${id}`, undefined, {}));
    await setTimeout(250);
    if (answer === undefined || answer.status === 0) continue;
    waitedMs += performance.now() - requestedAt;
    if (answer.status === 404) return ending('refused', [], 404, answer.text);
    if (answer.status !== 200 || !answer.whole) continue;
    const { state } = JSON.parse(answer.text) as { state: string };
    if (state === 'failed') return ending('refused', [], 500, answer.text);
    if (state === 'complete') return await read(`${url}/benchmarks/${id}`, ending);
  }
  return ending('hung', []);
}

/** Reads the report of a finished study, and deletes the study. */
async function read(url: string, ending: End): Promise<Ending> {
  const report = await answeredOrAway(exchange(`${url}/report`, undefined, {}));
  if (report?.status !== 200 || !report.whole) return ending('broken', []);
  const { rules } = JSON.parse(report.text) as { rules: readonly Record<string, unknown>[] };
  await answeredOrAway(exchange(url, undefined, { method: 'DELETE' }));
  // Faults may take time from a search, which then reports that it is partial.
  if (rules.some(({ isPartial }) => isPartial === true)) return ending('refused', [], 408, 'a search is partial');
  return ending('whole', rules.map(lineOf));
}

/**
 * Returns the part of a rule's report that is the same in every study, as a line with the rule's `index`. It contains no times and no
 * nodes.
 */
const lineOf = ({ path, worst, growsWith, budgetEndsAt, notStudied }: Readonly<Record<string, unknown>>, index: number): Line => ({
  index,
  path,
  worst,
  growsWith,
  budgetEndsAt,
  notStudied,
});
