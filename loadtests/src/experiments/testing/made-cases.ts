import type { CaseFigures, Facts } from '../../study/study.ts';
import type { Synthesis } from './synthesis.ts';

/**
 * Description of a synthetic case. Times and rates are created near the given figures. `facts` are copied, and the facts named in `scales`
 * are created near the given scale.
 */
export interface CaseToMake {
  readonly line: string;
  readonly size: number;
  readonly times?: Readonly<Record<string, number>>;
  readonly rates?: Readonly<Record<string, number>>;
  readonly facts?: Facts;
  readonly scales?: Readonly<Record<string, number>>;
}

/** Creates cases. Each case, and each time, rate and fact of a case, may be missing. */
export const made = (s: Synthesis, cases: readonly CaseToMake[]): CaseFigures[] =>
  s.some(cases, ({ line, size, times = {}, rates = {}, facts = {}, scales = {} }) => ({
    line,
    size,
    times: mapped(times, (ms) => s.samples(ms)),
    rates: mapped(rates, (rate) => s.samples(rate)),
    facts: { ...mapped(facts, (fact) => s.maybe(fact)), ...mapped(scales, (scale) => s.maybe(s.figure(scale))) },
  }));

const mapped = <From, To>(record: Readonly<Record<string, From>>, to: (from: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
