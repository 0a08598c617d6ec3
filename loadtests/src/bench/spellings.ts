import type { CompiledDefinition } from '#crd';
import { fixedText } from '#charts';
import { quotient } from '../measure/quotient.ts';
import { compiled, judgeAccepted, largeBody, largeDefinition } from '../workloads/judging.ts';
import { objectCases } from '../workloads/object-cases.ts';
import type { BenchTable } from './bench-table.ts';
import { fastestMicros } from './fastest.ts';

/** Most that a document may take beside the same one in plain ASCII. */
const WANTED = 1.5;
const ELEMENTS = 100_000;

/** Three spellings of like texts. */
const SPELLINGS = { ascii: 'a plain note', utf8: 'a plain nöte', escaped: 'a plain\nnote' } as const;

interface SpelledCase {
  readonly name: string;
  readonly definition: CompiledDefinition;
  readonly version: string;
  readonly bodies: (text: string) => readonly Buffer[];
}

/** How much longer documents take that hold characters beyond ASCII, or escapes, beside `JSON.parse` of the same bytes. */
export function benchSpellings(quick: boolean): BenchTable {
  const rows = cases().flatMap((one) => {
    const micros = fastest(one, quick ? 500 : 4000);
    const beside = (what: string, other: string): number | undefined => quotient(micros(what), micros(other));
    return (['utf8', 'escaped'] as const).map((spelling) => {
      const ratio = beside(`${spelling}, judged`, 'ascii, judged');
      return [
        one.name,
        spelling,
        fixedText(ratio, 2),
        `≤ ${WANTED}`,
        ratio !== undefined && ratio <= WANTED ? 'met' : 'missed',
        fixedText(beside(`${spelling}, parsed`, 'ascii, parsed'), 2),
        fixedText(beside(`${spelling}, judged`, `${spelling}, parsed`), 2),
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

/** Returns the times of all bodies of a case in each spelling, judged and parsed. */
function fastest(one: SpelledCase, budgetMs: number): (work: string) => number | undefined {
  const works = Object.entries(SPELLINGS).flatMap(([spelling, text]) => {
    const bodies = one.bodies(text);
    return [
      [`${spelling}, judged`, () => bodies.forEach((body) => judgeAccepted(one.definition, body, one))],
      [`${spelling}, parsed`, () => bodies.forEach((body) => JSON.parse(body.toString()) as unknown)],
    ] as const;
  });
  return fastestMicros(Object.fromEntries(works), budgetMs);
}
