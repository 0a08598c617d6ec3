import type { FieldError } from '#kube';
import type { Correlation } from '../correlate.ts';
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

/**
 * State of one walk over an object: its position, its findings, and the number of validators that matched. This number
 * decides the best branch of anyOf and oneOf. Source: kube-openapi pkg/validation/validate/result.go.
 */
export class SchemaWalk {
  findings: Finding[] = [];
  /** Texts of the findings, once there are more than few. */
  private texts: Set<string> | undefined;
  matches = 0;
  readonly polls: Polls;
  private readonly root: Correlation | undefined;
  private asides = 0;
  /** From the root: names of fields, indices of items. */
  readonly path: (string | number)[] = [];
  /** Set while additional properties of the root are walked over, whose path begins with a dot, as upstream's does. */
  rootIsMap = false;

  /** @param root the whole value beside its old value: what is unchanged may stay invalid */
  constructor(polls: Polls, root?: Correlation) {
    this.polls = polls;
    this.root = root;
  }

  /** The dotted path of the value at hand: `spec.list[3]`, `.x` for an additional property of the root. */
  get name(): string {
    let name = this.rootIsMap ? '.' : '';
    for (const [depth, part] of this.path.entries()) name += typeof part === 'number' ? `[${part}]` : depth === 0 ? part : `.${part}`;
    return name;
  }

  /**
   * The value at hand beside its old value; undefined where nothing belongs to it, and in branches, which are judged as if all were new. It is looked up
   * when it is asked for: old values only excuse findings, and most values have none.
   */
  get correlation(): Correlation | undefined {
    let at = this.asides === 0 ? this.root : undefined;
    for (let depth = 0; depth < this.path.length && at !== undefined; depth++) {
      const part = this.path[depth] as string | number;
      if (depth === 0 && isTypeMeta(part)) return undefined;
      at = typeof part === 'number' ? at.item(part) : at.field(part);
    }
    return at;
  }

  add(finding: Finding): void {
    if (this.texts === undefined && this.findings.length < FEW) {
      for (const known of this.findings) if (known.text === finding.text) return;
    } else {
      this.texts ??= new Set(this.findings.map(({ text }) => text));
      if (this.texts.has(finding.text)) return;
      this.texts.add(finding.text);
    }
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

/** Fields of the root that have no old value. Source: pkg/apiserver/validation/ratcheting.go `isTypeMetaField` (1.37). */
function isTypeMeta(part: string | number): boolean {
  return part === 'kind' || part === 'apiVersion';
}

/** Returns the field that a finding names, below a base path (`status`) if there is one. */
export function findingField(finding: Finding, base: string | undefined): string {
  const name = finding.name === undefined || finding.name === '.' ? '' : finding.name.replace(/^\./, '');
  if (name === '') return base ?? '<nil>';
  return base === undefined ? name : `${base}.${name}`;
}
