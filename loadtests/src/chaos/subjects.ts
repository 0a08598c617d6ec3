import { createHash } from 'node:crypto';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { pricedDefinition } from '../workloads/priced-objects.ts';

/** Number of objects whose verdicts are known from a run without faults. */
export const SUBJECTS = 240;
const KIND = 'Subject';

/** Number of the object that uses up the memory of the thread that reads it. */
export const POISON = -1;
const POISON_KIND = 'Poison';

/** The definitions of all subjects, as JSON text. */
export const DEFINITIONS = JSON.stringify([pricedDefinition(KIND), poisonDefinition()]);

function poisonDefinition(): unknown {
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { type: 'object', properties: { free } };
  return customDefinition({ group: 'priced.assay.example.com', kind: POISON_KIND, scope: 'Cluster', schema });
}

/**
 * Returns the object with the given subject number as JSON. Every object has a different name. The costs of the objects range from low to
 * high, and every seventh object is refused.
 */
export function subject(number: number): string {
  if (number === POISON) return poison();
  const length = [1, 5, 40, 120, 300][number % 5] ?? 1;
  const list = Array.from({ length }, (_, i) => (number % 7 === 3 && i === 0 ? 'wrong' : i + number));
  return JSON.stringify({
    apiVersion: 'priced.assay.example.com/v1',
    kind: KIND,
    metadata: { name: `subject-${number}`, annotations: { note: `n${number}`.repeat(1 + (number % 40)) } },
    list,
  });
}

/** Returns JSON that needs about thirty times its size in memory after it is parsed. */
function poison(): string {
  return `{"apiVersion":"priced.assay.example.com/v1","kind":"${POISON_KIND}","metadata":{"name":"poison"},"free":{"list":[${'{},'.repeat(900_000)}{}]}}`;
}

/** Returns a digest of a verdict without its index in the batch. The digest must be the same in every run. */
export function digestOf(line: Readonly<Record<string, unknown>>): string {
  const { index: _, ...verdict } = line;
  return createHash('sha256').update(JSON.stringify(verdict)).digest('hex').slice(0, 24);
}
