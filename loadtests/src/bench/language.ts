import { LanguageService } from '#language';
import { fixedText } from '#charts';
import type { BenchTable } from './bench-table.ts';
import { percentile } from '#benchmark';

const SECTIONS = 500;
/** Wanted: ms from a keystroke to what is wrong with the text, 95 of 100 times. */
const WANTED_MS = 50;
const URI = 'file:///definition.yaml';

/** What is typed: where, and what comes of it letter by letter. */
interface Typing {
  readonly name: string;
  readonly mark: string;
  readonly typed: string;
}

const TYPINGS: readonly Typing[] = [
  { name: 'inside a rule', mark: '+ 250"', typed: ' && self.name.size() > 3' },
  { name: 'inside a description', mark: 'number 250,', typed: ' the two hundred and fiftieth' },
  { name: 'a bound', mark: 'maximum: 250', typed: '0' },
  { name: 'a new field', mark: '# end of 250', typed: '\n                # more of it' },
  { name: 'a quote that is left open', mark: `+ 250"\n${' '.repeat(18)}message: `, typed: '"' },
];

/** ms from a keystroke in a definition of 10,000 lines with 500 rules to its diagnostics, lenses and completions. */
export function benchLanguage(quick: boolean): BenchTable {
  const text = definition();
  const rounds = quick ? 4 : 20;
  const measured = TYPINGS.map((typing) => ({ typing, ...typed(text, typing, rounds) }));
  const lines = text.split('\n').length - 1;
  return {
    columns: ['typed', 'keystrokes', 'p50 ms', 'p95 ms', 'worst ms', 'p95 by the clock', 'up to 10, 20, 50, 100, 200 ms, more'],
    rows: measured.map(({ typing, cpu, wall }) => [
      typing.name,
      String(cpu.length),
      ...[50, 95, 100].map((p) => fixedText(percentile(cpu, p), 1)),
      fixedText(percentile(wall, 95), 1),
      histogram(cpu),
    ]),
    wanted: measured
      .filter(({ typing }) => typing.typed !== '"')
      .map(({ typing, cpu }) => ({ name: `${typing.name}: p95 ms`, value: percentile(cpu, 95), most: WANTED_MS })),
    notes: [
      `A definition of ${lines} lines, ${text.length} bytes and ${SECTIONS} rules; ms of one thread from the text after a keystroke to its diagnostics, warm: its processor time, whatever else the machine does; collecting garbage in other threads is not in it.`,
      'A quote that is left open makes the rest of the text another: it is read anew, and there is no gate.',
    ],
  };
}

function typed(text: string, { mark, typed }: Typing, rounds: number): { readonly cpu: number[]; readonly wall: number[] } {
  const service = new LanguageService();
  const show = (next: string): void => {
    service.setText(URI, next);
    service.diagnostics(URI);
  };
  const at = text.indexOf(mark) + mark.length - (mark.endsWith('"') ? 1 : 0);
  const cpu: number[] = [];
  const wall: number[] = [];
  for (let round = 0; round < rounds; round++) {
    show(text);
    for (let length = 1; length <= typed.length; length++) {
      const next = text.slice(0, at) + typed.slice(0, length) + text.slice(at);
      const began = performance.now();
      const started = process.threadCpuUsage();
      show(next);
      // The first round warms up.
      if (round === 0) continue;
      cpu.push(cpuMs(started));
      wall.push(performance.now() - began);
    }
  }
  return { cpu, wall };
}

/** ms of this thread since. */
function cpuMs(started: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1000;
}

function histogram(times: readonly number[]): string {
  const bounds = [10, 20, 50, 100, 200, Infinity];
  return bounds.map((bound, i) => times.filter((ms) => ms <= bound && ms > (bounds[i - 1] ?? 0)).length).join(' ');
}

/** A definition whose sections each have a rule, a description and a few fields. */
function definition(): string {
  const sections = Array.from({ length: SECTIONS }, (_, i) =>
    [
      `section${i}:`,
      '  type: object',
      '  description: >-',
      `    The section with the number ${i}, which holds`,
      '    what the section needs.',
      '  properties:',
      '    name:',
      '      type: string',
      '      maxLength: 63',
      '    replicas:',
      '      type: integer',
      '      minimum: 0',
      `      maximum: ${i}`,
      '    max-replicas:',
      '      type: integer',
      '  x-kubernetes-validations:',
      `  - rule: "!has(self.replicas) || !has(self.max__dash__replicas) || self.replicas <= self.max__dash__replicas + ${i}"`,
      `    message: replicas must not exceed max-replicas of ${i}`,
      '    fieldPath: .replicas',
      `  # end of ${i}`,
    ]
      .map((line) => `              ${line}`)
      .join('\n'),
  );
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
${sections.join('\n')}
`;
}
