import type { FieldError } from '#kube';
import type { Polls } from '../write/polls.ts';

/** A finding of a validator before it becomes a field error. Findings with equal text are one. */
export interface Finding {
  /** The whole sentence upstream would print. */
  readonly text: string;
  /** The dotted path; undefined for findings that upstream attaches to no field. */
  readonly name: string | undefined;
  /** Makes the field error, once the field is known. */
  readonly toError: (field: string) => FieldError;
}

/** Findings that are looked through faster than they are remembered. */
const FEW = 16;

/** Thrown by a walk that only wants to know whether there is any finding. */
export class FirstFinding extends Error {}

/**
 * State of one walk over an object: where it is, what it found, and how many validators matched (which decides the best branch of anyOf
 * and oneOf). Source: kube-openapi pkg/validation/validate/result.go.
 */
export class SchemaWalk {
  findings: Finding[] = [];
  /** Texts of the findings, once there are more than few. */
  private texts: Set<string> | undefined;
  matches = 0;
  readonly polls: Polls;
  readonly untilFirst: boolean;
  private asides = 0;
  /** From the root: `.name` or `name` for fields, numbers for items. */
  readonly path: (string | number)[] = [];

  /** @param untilFirst unwind the walk at the first finding that counts, by throwing {@link FirstFinding} */
  constructor(polls: Polls, untilFirst = false) {
    this.polls = polls;
    this.untilFirst = untilFirst;
  }

  /** The dotted path of the value at hand: `spec.list[3]`, `.x` for an additional property of the root. */
  get name(): string {
    let name = '';
    for (const part of this.path) name += typeof part === 'number' ? `[${part}]` : part;
    return name;
  }

  add(finding: Finding): void {
    if (this.texts === undefined && this.findings.length < FEW) {
      for (const known of this.findings) if (known.text === finding.text) return;
    } else {
      this.texts ??= new Set(this.findings.map(({ text }) => text));
      if (this.texts.has(finding.text)) return;
      this.texts.add(finding.text);
    }
    if (this.untilFirst && this.asides === 0) throw new FirstFinding();
    this.findings.push(finding);
  }

  /** Takes back all findings but the first `count`. */
  keepFirst(count: number): void {
    for (const { text } of this.findings.splice(count)) this.texts?.delete(text);
  }

  /** Runs a validator aside: its findings and matches are given back instead of being added. */
  aside(run: () => void): { findings: Finding[]; matches: number } {
    const { findings, matches, texts } = this;
    this.findings = [];
    this.texts = undefined;
    this.matches = 0;
    this.asides += 1;
    run();
    this.asides -= 1;
    const result = { findings: this.findings, matches: this.matches };
    this.findings = findings;
    this.texts = texts;
    this.matches = matches;
    return result;
  }

  merge(result: { readonly findings: readonly Finding[]; readonly matches: number }): void {
    for (const finding of result.findings) this.add(finding);
    this.matches += result.matches;
  }
}

/** The field that a finding names, below a base path (`status`) if there is one. */
export function findingField(finding: Finding, base: string | undefined): string {
  const name = finding.name === undefined || finding.name === '.' ? '' : finding.name.replace(/^\./, '');
  if (name === '') return base ?? '<nil>';
  return base === undefined ? name : `${base}.${name}`;
}
