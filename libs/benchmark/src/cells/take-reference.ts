import { compileExpression, declareType, EMPTY_SCHEMA, environmentFor, wrapValue } from '#cel';
import type { ValueSchema } from '#cel';
import { readJson } from '#go';
import { LATEST_MINOR, PER_CALL_LIMIT } from '#kube';
import { median } from '../figures/quantiles.ts';
import { sampleRounds } from '../figures/sample-rounds.ts';
import type { CellPorts, CellSubjects, StudyEngine } from './cell-ports.ts';
import { REFERENCE_RULES, referenceObject } from './reference-rules.ts';
import { heapOf } from './rule-work.ts';
import type { CompileCell, CompileFindings } from './study-cell.ts';

/** Share of the time that is used for compiling the definition. The remaining time is used for measuring the reference rules. */
const COMPILING = 0.3;

/**
 * Measures the time of compiling the definition, and the time in ns per CEL cost unit of the compiled and the interpreted engine. The time
 * per cost unit is the median over a fixed set of reference rules.
 */
export function takeReference({ ms }: CompileCell, subjects: CellSubjects, ports: CellPorts): CompileFindings {
  const [samples = []] = sampleRounds([subjects.compileAgain], { ...ports, ms: COMPILING * ms });
  const share = ((1 - COMPILING) * ms) / 2;
  const perUnit = (name: StudyEngine): number => unitTime(name, subjects, { ...ports, ms: share });
  return {
    time: { engine: 'Assay compiled', what: 'compile', ms: median(samples) ?? 0, ...heapOf(subjects.compileAgain, ports) },
    nsPerUnit: { 'Assay compiled': perUnit('compiled'), 'Assay interpreted': perUnit('interpreted') },
  };
}

const scalar = (type: string): ValueSchema => ({ ...EMPTY_SCHEMA, type });
const list = (items: ValueSchema): ValueSchema => ({ ...EMPTY_SCHEMA, type: 'array', items });
const object = (properties: Record<string, ValueSchema>): ValueSchema => ({
  ...EMPTY_SCHEMA,
  type: 'object',
  properties: new Map(Object.entries(properties)),
});

/** Returns the time per cost unit in ns, as the median over the reference rules. */
function unitTime(engine: StudyEngine, { choice }: CellSubjects, rules: CellPorts & { readonly ms: number }): number {
  const schema = object({
    ints: list(scalar('integer')),
    texts: list(scalar('string')),
    objects: list(object({ a: scalar('integer'), name: scalar('string') })),
  });
  const self = declareType(schema, false, LATEST_MINOR);
  const reading = readJson(referenceObject());
  if (self === undefined || !reading.ok) return NaN;
  const value = wrapValue(reading.value, schema);
  const environment = environmentFor(LATEST_MINOR, 'stored');
  const limits = { costLimit: PER_CALL_LIMIT, token: rules.token };
  const works = REFERENCE_RULES.flatMap((text) => {
    const compiled = compileExpression(text, { self, oldSelf: 'plain', environment, expect: 'bool', engine: choice(engine) });
    if (!compiled.ok) return [];
    const run = () => compiled.program.evaluate({ self: value }, limits);
    return [{ run, cost: run().cost }];
  });
  const sampled = sampleRounds(
    works.map(
      ({ run }) =>
        () =>
          void run(),
    ),
    rules,
  );
  return median(works.flatMap(({ cost }, i) => (1e6 * (median(sampled[i] ?? []) ?? NaN)) / cost)) ?? NaN;
}
