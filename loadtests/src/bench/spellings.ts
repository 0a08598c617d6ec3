import type { CompiledDefinition } from '#crd';
import { fixedText } from '#charts';
import { quotient } from '../measure/quotient.ts';
import { compiled, judgeAccepted, largeBody, largeDefinition, timed } from '../workloads/judging.ts';
import { objectCases } from '../workloads/object-cases.ts';
import type { BenchTable } from './bench-table.ts';

/** Most that a document may take beside the same one in plain ASCII. */
const WANTED = 1.5;
const ELEMENTS = 100_000;

/** Three spellings of like texts. */
const SPELLINGS = { ascii: 'a plain note', utf8: 'a plain nöte', escaped: 'a plain\nnote' } as const;
type Spelling = keyof typeof SPELLINGS;

interface SpelledCase {
  readonly name: string;
  readonly definition: CompiledDefinition;
  readonly version: string;
  readonly bodies: (text: string) => readonly Buffer[];
}

/** How much longer documents take that hold characters beyond ASCII, or escapes, beside `JSON.parse` of the same bytes. */
export function benchSpellings(quick: boolean): BenchTable {
  const rows = cases().flatMap((one) => {
    const best = fastest(one, quick ? 500 : 4000);
    return (['utf8', 'escaped'] as const).map((spelling) => {
      const ratio = quotient(best.whole[spelling], best.whole.ascii);
      const parse = quotient(best.parse[spelling], best.parse.ascii);
      return [
        one.name,
        spelling,
        fixedText(ratio, 2),
        `≤ ${WANTED}`,
        ratio !== undefined && ratio <= WANTED ? 'met' : 'missed',
        fixedText(parse, 2),
        fixedText(quotient(best.whole[spelling], best.parse[spelling]), 2),
      ];
    });
  });
  return {
    columns: ['text', 'spelling', '÷ ASCII', 'wanted', 'gate', 'JSON.parse ÷ ASCII', 'whole ÷ JSON.parse'],
    rows,
    failedGates: [],
    notes: ['Fastest rounds, bytes → verdict, in turns with the same documents in ASCII.'],
  };
}

function cases(): SpelledCase[] {
  const noted = (body: Buffer, note: string): Buffer => {
    const object = JSON.parse(body.toString()) as { metadata: object };
    return Buffer.from(JSON.stringify({ ...object, metadata: { ...object.metadata, annotations: { note } } }));
  };
  const real = objectCases().filter(({ name }) => name === 'HTTPRoute' || name.startsWith('an object'));
  const list = compiled(largeDefinition({ list: { type: 'array', items: { type: 'string', maxLength: 30 } } }));
  const texts = (element: (i: number) => string): readonly Buffer[] => [
    largeBody({ list: Array.from({ length: ELEMENTS }, (_, i) => element(i)) }),
  ];
  return [
    ...real.map(({ name, definition, version, bodies }) => ({
      name: `${name}, an annotation`,
      definition: compiled(definition),
      version,
      bodies: (text: string) => bodies.map((body) => noted(body, text)),
    })),
    {
      name: 'long list, one element',
      definition: list,
      version: 'v1',
      bodies: (text) => texts((i) => (i === ELEMENTS / 2 ? text : `element ${i}`)),
    },
    { name: 'long list, all elements', definition: list, version: 'v1', bodies: (text) => texts((i) => `${text} ${i}`) },
  ];
}

/** ms of all bodies of a case in each spelling, judged and parsed. */
function fastest(one: SpelledCase, budgetMs: number): { whole: Record<Spelling, number>; parse: Record<Spelling, number> } {
  const spelled = Object.entries(SPELLINGS).map(([spelling, text]) => [spelling as Spelling, one.bodies(text)] as const);
  const most = (): Record<Spelling, number> => ({ ascii: Infinity, utf8: Infinity, escaped: Infinity });
  const best = { whole: most(), parse: most() };
  for (const until = performance.now() + budgetMs; performance.now() < until;) {
    for (const [spelling, bodies] of spelled) {
      const whole = timed(() => bodies.forEach((body) => judgeAccepted(one.definition, body, one))).ms;
      const parse = timed(() => bodies.forEach((body) => JSON.parse(body.toString()) as unknown)).ms;
      best.whole[spelling] = Math.min(best.whole[spelling], whole);
      best.parse[spelling] = Math.min(best.parse[spelling], parse);
    }
  }
  return best;
}
