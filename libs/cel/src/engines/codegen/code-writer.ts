import { js } from '../../library/code/javascript.ts';
import type { Fragment } from '../../library/code/javascript.ts';

/**
 * One line of generated code. `text` is a function, because some lines leave their block and add a cost that is known only when the block
 * ends.
 */
interface Line {
  readonly depth: number;
  readonly text: () => Fragment;
}

/** Cost units that the code must add when it leaves a block at one exit. */
interface Charge {
  units: number;
}

/**
 * An exit from a block because of a failure. `spent` is the number of cost units that were spent before the exit and that no emitted code
 * adds yet.
 */
interface Jump {
  readonly spent: number;
  readonly charge: Charge;
}

/** Labelled block in which failures are caught. A failure stores its error in the variable `error` and leaves the block. */
interface FailureTarget {
  readonly label: Fragment;
  readonly error: Fragment;
  readonly jumps: Jump[];
}

/** A block of generated code. Values that are computed in the block may be used in the rest of the block and in the blocks inside it. */
export interface CodeBlock {
  /** The surrounding block. Undefined for the body of the function. */
  readonly parent: CodeBlock | undefined;
  readonly isLoop: boolean;
  /** True if the block was merged into its parent because it turned out to be unnecessary. */
  dissolved: boolean;
}

/**
 * Writer of generated JavaScript statements. It also counts the constant costs of these statements, in cost units. It adds up the costs of
 * code without branches at generation time. If the paths of a branch have different costs, it emits code that adds the difference.
 */
export class CodeWriter {
  /** Number of lines written so far in all blocks. */
  written = 0;
  #lines: Line[] = [];
  #depth = 1;
  #current: CodeBlock = { parent: undefined, isLoop: false, dissolved: false };
  /** Cost units spent up to the current line, without the units for which an addition is already emitted. */
  #spent = 0;
  #target: FailureTarget | undefined;
  /** Cost units that the code must charge if it fails at the current line. They are the cost of calls that the failure skips. */
  #surcharge = 0;
  /** Returns code that leaves the function with an error. */
  readonly #leave: (error: Fragment) => Fragment;

  constructor(leave: (error: Fragment) => Fragment) {
    this.#leave = leave;
  }

  /** The innermost block that is being written. */
  get scope(): CodeBlock {
    return this.#current;
  }

  /** Returns true if values that were computed in `scope` are available at the current line. */
  isWithin(scope: CodeBlock): boolean {
    let outer = scope;
    while (outer.dissolved && outer.parent !== undefined) outer = outer.parent;
    for (let at: CodeBlock | undefined = this.#current; at !== undefined; at = at.parent) if (at === outer) return true;
    return false;
  }

  /** Returns true if the current line is in a loop inside the block `scope`, so that the line may run more often than the block. */
  loopsBelow(scope: CodeBlock): boolean {
    for (let at: CodeBlock | undefined = this.#current; at !== undefined && at !== scope; at = at.parent) if (at.isLoop) return true;
    return false;
  }

  /** Charges cost units each time the generated code runs the current line. */
  charge(units: number): void {
    this.#spent += units;
  }

  line(text: Fragment): void {
    this.written++;
    this.#lines.push({ depth: this.#depth, text: () => text });
  }

  /** Runs `write`. If the code that `write` emits fails, it charges `units` in addition, for calls that are skipped but must be paid. */
  surcharged<T>(units: number, write: () => T): T {
    this.#surcharge += units;
    const result = write();
    this.#surcharge -= units;
    return result;
  }

  /** Reserves a line whose text is known only later. Returns a function that sets the text. */
  later(): (text: Fragment) => void {
    let settled = js``;
    this.#lines.push({ depth: this.#depth, text: () => settled });
    return (text) => {
      settled = text;
    };
  }

  /**
   * Writes code that ends the evaluation with the error `error` if `condition` is true. The code `first` runs before the evaluation ends.
   */
  fail(error: Fragment, condition: Fragment, first: Fragment = js``): void {
    const target = this.#target;
    const due = this.#spent + this.#surcharge;
    const charge: Charge = { units: due };
    target?.jumps.push({ spent: due, charge });
    const leave = target === undefined ? this.#leave(error) : js`${target.error} = ${error}; break ${target.label};`;
    const text = (): Fragment => js`if (${condition}) { ${first}${charge.units > 0 ? js`cost += ${charge.units}; ` : js``}${leave} }`;
    this.#lines.push({ depth: this.#depth, text });
  }

  /** Writes code that returns undefined if `condition` is true. The interpreter then evaluates the expression. */
  bail(condition: Fragment): void {
    this.line(js`if (${condition}) return undefined;`);
  }

  /**
   * Writes code whose failures are stored in the variable `error` instead of ending the function. If nothing fails, the result of the code
   * is stored in the variable `out`. Returns false if the code cannot fail. In this case, neither a block nor the two variables are
   * written.
   */
  catching(label: Fragment, error: Fragment, out: Fragment, write: () => Fragment): boolean {
    const outer = this.#target;
    const target: FailureTarget = { label, error, jumps: [] };
    const skipped = this.#surcharge;
    this.#target = target;
    this.#surcharge = 0;
    let result: Fragment = error;
    let block: CodeBlock | undefined;
    const body = this.#nested(() => {
      block = this.#current;
      result = write();
    }, 'block');
    this.#target = outer;
    this.#surcharge = skipped;
    if (target.jumps.length === 0) {
      block!.dissolved = true;
      this.#lines.push(...body.map((line) => ({ ...line, depth: line.depth - 1 })));
      return false;
    }
    this.line(js`let ${error}, ${out};`);
    this.line(js`${label}: {`);
    this.#lines.push(...body);
    this.#depth++;
    this.line(js`${out} = ${result};`);
    this.#settle(target.jumps);
    this.#depth--;
    this.line(js`}`);
    return true;
  }

  /**
   * Sets the number of cost units spent after a block to the minimum of the units at its end and at all its exits. The end and each exit
   * add the units by which they exceed this minimum.
   */
  #settle(jumps: readonly Jump[]): void {
    const common = Math.min(this.#spent, ...jumps.map(({ spent }) => spent));
    for (const { spent, charge } of jumps) charge.units = spent - common;
    this.#addUnits(this.#spent - common);
    this.#spent = common;
  }

  #addUnits(units: number): void {
    if (units > 0) this.line(js`cost += ${units};`);
  }

  /**
   * Writes `if (condition) … else …`. The branch that spends more cost units adds the difference, so that both branches end with the same
   * number of units.
   */
  branch(condition: Fragment, yes: () => void, no?: () => void): void {
    const start = this.#spent;
    this.line(js`if (${condition}) {`);
    const yesLines = this.#nested(yes, 'block');
    const yesSpent = this.#spent;
    this.#spent = start;
    const noLines = no === undefined ? [] : this.#nested(no, 'block');
    const common = Math.min(yesSpent, this.#spent);
    this.#lines.push(...yesLines);
    this.#addUnitsDeeper(yesSpent - common);
    if (noLines.length > 0 || this.#spent > common) {
      this.line(js`} else {`);
      this.#lines.push(...noLines);
      this.#addUnitsDeeper(this.#spent - common);
    }
    this.line(js`}`);
    this.#spent = common;
  }

  #addUnitsDeeper(units: number): void {
    this.#depth++;
    this.#addUnits(units);
    this.#depth--;
  }

  #nested(write: () => void, kind: 'block' | 'loop'): Line[] {
    const before = this.#lines;
    const parent = this.#current;
    this.#lines = [];
    this.#current = { parent, isLoop: kind === 'loop', dissolved: false };
    this.#depth++;
    write();
    this.#depth--;
    this.#current = parent;
    const body = this.#lines;
    this.#lines = before;
    return body;
  }

  /** Writes code that adds all cost units spent so far. This is necessary before code that runs an unknown number of times. */
  flush(): void {
    this.#addUnits(this.#spent);
    this.#spent = 0;
  }

  /** Returns the number of cost units spent so far and resets it to 0. The caller must emit code that adds these units. */
  take(): number {
    const spent = this.#spent;
    this.#spent = 0;
    return spent;
  }

  /** Writes a loop. `body` must call {@link flush} or {@link take}, so that the cost units of each iteration are added in the loop. */
  loop(head: Fragment, body: () => void): void {
    this.flush();
    this.line(js`${head} {`);
    this.#lines.push(...this.#nested(body, 'loop'));
    this.line(js`}`);
  }

  /** Returns the source text of all lines. */
  source(): string {
    return this.#lines.map(({ depth, text }) => '  '.repeat(depth) + text().source).join('\n');
  }
}
