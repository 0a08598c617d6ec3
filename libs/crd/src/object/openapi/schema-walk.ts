import type { JsonValue, ScalarList } from '#go';
import type { Change, FieldError, Minor, TooLongWords, TooManyWords } from '#kube';
import type { Correlation } from '../correlate.ts';
import type { Polls } from '../write/polls.ts';

/** Finding of a validator before it becomes a field error. Findings with equal texts are reported only once. */
export interface ValidationFinding {
  /** Complete sentence that upstream would print. */
  readonly text: string;
  /** Dotted path of the field; undefined for findings that upstream attaches to no field. */
  readonly name: string | undefined;
  /** Creates the field error of the finding for the given field path. */
  readonly toError: (field: string) => FieldError;
  /** Differences because of which some Kubernetes versions have no such finding; absent if all have it. */
  readonly because?: readonly Change[] | undefined;
}

/** Maximum number of findings for which a linear search for duplicates is faster than a set. */
const FEW = 16;

/**
 * State of one validation pass over an object: the current position, the findings, and the number of validators that matched. The number of
 * matches determines the best branch of anyOf and oneOf. Source: kube-openapi pkg/validation/validate/result.go.
 */
export class SchemaWalk {
  findings: ValidationFinding[] = [];
  /** Texts of the findings; undefined while there are only few findings. */
  #texts: Set<string> | undefined;
  matches = 0;
  readonly polls: Polls;
  readonly #root: Correlation | undefined;
  #isolations = 0;
  /** Path from the root to the current value: field names and item indices. */
  readonly path: (string | number)[] = [];
  /** True while additional properties of the root are validated. Their path begins with a dot, as in upstream. */
  rootIsMap = false;

  /** @param root Whole value together with its old value. Unchanged parts may stay invalid. */
  constructor(polls: Polls, root?: Correlation) {
    this.polls = polls;
    this.#root = root;
  }

  /**
   * Dotted path of the current value, such as `spec.list[3]`. The path of an additional property of the root begins with a dot, such as
   * `.x`.
   */
  get name(): string {
    let name = this.rootIsMap ? '.' : '';
    for (const [depth, part] of this.path.entries()) name += typeof part === 'number' ? `[${part}]` : depth === 0 ? part : `.${part}`;
    return name;
  }

  /**
   * Correlation of the current value with its old value. It is undefined if the value is not correlated. It is also undefined inside
   * branches such as `allOf`, because they are validated as if all values were new. The correlation is computed on access, because few
   * values need it.
   */
  get correlation(): Correlation | undefined {
    let at = this.#isolations === 0 ? this.#root : undefined;
    for (let depth = 0; depth < this.path.length && at !== undefined; depth++) {
      const part = this.path[depth] as string | number;
      if (depth === 0 && isTypeMeta(part)) return undefined;
      at = typeof part === 'number' ? at.item(part) : at.field(part);
    }
    return at;
  }

  add(finding: ValidationFinding): void {
    if (this.#texts === undefined && this.findings.length < FEW) {
      for (const known of this.findings) if (known.text === finding.text) return;
    } else {
      this.#texts ??= new Set(this.findings.map(({ text }) => text));
      if (this.#texts.has(finding.text)) return;
      this.#texts.add(finding.text);
    }
    this.findings.push(finding);
  }

  /** Removes all findings except the first `count`. */
  keepFirst(count: number): void {
    for (const { text } of this.findings.splice(count)) this.#texts?.delete(text);
  }

  /** Runs a validator separately: its findings and matches are returned instead of being added. */
  isolate(run: () => void): { findings: ValidationFinding[]; matches: number } {
    const { findings, matches } = this;
    const texts = this.#texts;
    this.findings = [];
    this.#texts = undefined;
    this.matches = 0;
    this.#isolations += 1;
    run();
    this.#isolations -= 1;
    const result = { findings: this.findings, matches: this.matches };
    this.findings = findings;
    this.#texts = texts;
    this.matches = matches;
    return result;
  }

  merge(result: { readonly findings: readonly ValidationFinding[]; readonly matches: number }): void {
    for (const finding of result.findings) this.add(finding);
    this.matches += result.matches;
  }
}

/** Returns true for fields of the root that have no old value. Source: pkg/apiserver/validation/ratcheting.go `isTypeMetaField` (1.37). */
function isTypeMeta(part: string | number): boolean {
  return part === 'kind' || part === 'apiVersion';
}

/**
 * Returns why some Kubernetes versions report none of the findings. Each finding may list the version differences that explain why some
 * versions do not report it. Returns those of all findings together, or an empty list if some finding is reported by every version.
 */
export function becauseOfAll(findings: readonly ValidationFinding[]): readonly Change[] {
  if (findings.some(({ because }) => because === undefined)) return [];
  return [...new Set(findings.flatMap(({ because = [] }) => because))];
}

/**
 * Returns the path of the field to which a finding (validation error) refers. If `base` is given, such as `status`, the path begins with
 * it. Returns `<nil>` if there is no path.
 */
export function findingField(finding: ValidationFinding, base: string | undefined): string {
  const name = finding.name === undefined || finding.name === '.' ? '' : finding.name.replace(/^\./, '');
  if (name === '') return base ?? '<nil>';
  return base === undefined ? name : `${base}.${name}`;
}

/** Function that validates a value against a schema node, including the nodes below it. It records the errors in `walk`. */
export interface NodeCheck {
  (value: JsonValue, walk: SchemaWalk): void;
  /**
   * Returns true if the bounds in `elements`, such as the smallest and the largest integer, prove that all elements of a list are valid. In
   * this case, also counts the matches of the elements. `false` is inconclusive: the caller must validate each element.
   */
  readonly acceptsAll: (elements: ScalarList, count: number, walk: SchemaWalk) => boolean;
}

/** Validation behaviour that differs between Kubernetes minor versions. */
export interface ValidationBehaviour {
  readonly minor: Minor;
  readonly tooLong: TooLongWords;
  readonly tooMany: TooManyWords;
  /** True if errors about `minLength`, `minItems` and `minProperties` have types of their own (since 1.38). */
  readonly typedShortages: boolean;
  /** True if formats of integers and numbers are enforced and bounds must fit the type (since 1.36). */
  readonly typedNumbers: boolean;
  /** Returns true if a float counts as an integer. A tiny difference from an integer is tolerated. */
  readonly isIntegral: (float: number) => boolean;
  /** Kubernetes minor version whose string formats the server knows. */
  readonly formatMinor: number;
  /**
   * True for the validation of defaults. Upstream converts the schema of defaults differently: formats are kept for every type, and an
   * int-or-string has no type. Source: apiextensions-apiserver pkg/apiserver/schema/kubeopenapi.go (1.37).
   */
  readonly forDefaults: boolean;
}
