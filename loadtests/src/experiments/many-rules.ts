import { countedText, countText, timeText } from '#numbers';
import { measured } from '../measure/quotient.ts';
import { ACCEPTED, judgingWork } from '../study/judging-work.ts';
import { boundClaim, growthChart, sameCostGate, studyOf, timeOf } from '../study/study-report.ts';
import { compiledToServe, largeBody } from '../workloads/judging.ts';
import { fieldsDefinition, withRules } from '../workloads/rule-definition.ts';

/** Time in ms that the rules of an object may take together without users noticing it. Every request takes at least that long. */
const UNNOTICED_MS = 1;
const HUNDREDS = 100;

/** Rules of the kinds that occur most often in definitions. They are used in turn. */
const RULES = [
  "self.size() > 2 && self.startsWith('v')",
  "self == 'value' || self.contains('-')",
  "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
  "self in ['value', 'other', 'third']",
] as const;

/** Experiment about the statement of KEP-2876 that "many (100s) expressions are fine". */
export const manyRules = studyOf({
  name: 'many-rules',
  question: 'How many rules may a definition have before requests become noticeably slower?',
  lines: [
    {
      name: 'judging',
      sizes: { quick: [1, 8, 100, 1000], full: [1, 4, 12, 32, 100, 300, 1000, 3000] },
      expected: ACCEPTED,
      work(count) {
        const field = (i: number) => withRules({ type: 'string', maxLength: 30 }, [RULES[i % RULES.length] ?? 'true']);
        const spec = Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, 'value']));
        return judgingWork(compiledToServe(fieldsDefinition(count, field)), largeBody({ spec }));
      },
    },
  ],
  conclude(cases) {
    const evaluated = measured(cases, (one) => timeOf(one, 'cel'));
    const unnoticed = evaluated.filter(({ value }) => value <= UNNOTICED_MS).at(-1);
    // Many rules show the cost of one rule. With few rules, fixed costs hide it.
    const many = evaluated.find(({ item }) => item.size >= 3 * HUNDREDS) ?? evaluated.findLast(({ item }) => item.size >= HUNDREDS);
    return {
      finding: [
        unnoticed && `${countedText(unnoticed.item.size, 'rule')} of a definition take ${timeText(unnoticed.value)} for each object`,
        many && `time that one rule of ${countText(many.item.size)} adds to each object: ${timeText(many.value / many.item.size)}`,
      ],
      charts: [
        growthChart({
          id: 'growth',
          title: ['Time for each object', 'the number of rules'],
          subtitle:
            'Time to judge one object whose definition has n rules: one rule for each field, of four common kinds in turn; median of the rounds.',
          x: { label: 'rules in the definition', unit: 'count' },
          lines: [
            { name: 'rules of an object, exact way', role: 'assay', cases, what: 'cel' },
            { name: 'the whole write, as judged', role: 'reference', cases, what: 'whole' },
          ],
          horizontals: [{ y: UNNOTICED_MS, label: 'a request takes that anyway' }],
          reading: 'The number of fields grows with the number of rules, so a part of the time of the whole write is due to the fields.',
          notShown:
            'the time to compile the rules (see the section definitions), and expensive rules. A server refuses a definition with only a few expensive rules.',
        }),
      ],
      // `many` has hundreds of rules, because fewer rules cannot decide the claim.
      claims: [
        boundClaim({
          claim: 'a definition may have hundreds of rules (“many (100s) expressions are fine”)',
          figure: many?.value,
          found: (ms) => `${countedText(many?.item.size ?? 0, 'rule')} take ${timeText(ms)} for each object`,
          holds: UNNOTICED_MS,
          inPart: Infinity,
        }),
      ],
      gates: [
        sameCostGate(
          'cost of four rules is the same at any number',
          cases.filter(({ size }) => size % RULES.length === 0),
        ),
      ],
    };
  },
});
