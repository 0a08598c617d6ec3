import { js } from '../../library/code/javascript.ts';
import type { Fragment } from '../../library/code/javascript.ts';

/** One line of generated code. If it leaves its block, the cost that it adds is only known at the end of the block. */
interface Line {
  readonly depth: number;
  readonly text: () => Fragment;
}

/** Cost units that one way out of a block has to add. */
interface Charge {
  units: number;
}

/** A way out of a block that fails: where it was left, and what had been spent but not yet added. */
interface Jump {
  readonly spent: number;
  readonly charge: Charge;
}

/** The target of failures: the end of a labelled block that notes the error, or the exit of the function. */
interface FailureTarget {
  readonly label: Fragment;
  readonly error: Fragment;
  readonly jumps: Jump[];
}

/** A block of generated code. The rest of the block and its inner blocks may use its computed values. */
export interface Scope {
  /** Undefined for the function itself. */
  readonly parent: Scope | undefined;
  readonly isLoop: boolean;
  /** The block became part of its parent after all. */
  dissolved: boolean;
}

/**
 * A writer of statements that also counts constant costs. It sums units while code runs straight on. It emits an
 * addition only at branches, for the difference.
 */
export class CodeWriter {
  /** Lines written so far, in all blocks. */
  written = 0;
  private lines: Line[] = [];
  private depth = 1;
  private current: Scope = { parent: undefined, isLoop: false, dissolved: false };
  /** Units spent on the way here that no code has added yet. */
  private spent = 0;
  private target: FailureTarget | undefined;
  /** Units that a failure here has to pay for what it skips. */
  private surcharge = 0;
  /** Leaves the function with an error. */
  private readonly leave: (error: Fragment) => Fragment;

  constructor(leave: (error: Fragment) => Fragment) {
    this.leave = leave;
  }

  /** The innermost block that is being written. */
  get scope(): Scope {
    return this.current;
  }

  /** True when what has been computed in a block holds here. */
  isWithin(scope: Scope): boolean {
    let outer = scope;
    while (outer.dissolved && outer.parent !== undefined) outer = outer.parent;
    for (let at: Scope | undefined = this.current; at !== undefined; at = at.parent) if (at === outer) return true;
    return false;
  }

  /** True when the code being written may run more often than the block. */
  loopsBelow(scope: Scope): boolean {
    for (let at: Scope | undefined = this.current; at !== undefined && at !== scope; at = at.parent) if (at.isLoop) return true;
    return false;
  }

  /** Spends units whenever this point is passed. */
  charge(units: number): void {
    this.spent += units;
  }

  line(text: Fragment): void {
    this.written++;
    this.lines.push({ depth: this.depth, text: () => text });
  }

  /** Writes code whose failures pay some units more: for what is skipped but has to be paid for. */
  surcharged<T>(units: number, write: () => T): T {
    this.surcharge += units;
    const result = write();
    this.surcharge -= units;
    return result;
  }

  /** Keeps a place for a line whose text is known only later. */
  later(): (text: Fragment) => void {
    let settled = js``;
    this.lines.push({ depth: this.depth, text: () => settled });
    return (text) => {
      settled = text;
    };
  }

  /** Leaves with an error where the condition holds; `first` runs before. */
  fail(error: Fragment, condition: Fragment, first: Fragment = js``): void {
    const { target } = this;
    const due = this.spent + this.surcharge;
    const charge: Charge = { units: due };
    target?.jumps.push({ spent: due, charge });
    const leave = target === undefined ? this.leave(error) : js`${target.error} = ${error}; break ${target.label};`;
    const text = (): Fragment => js`if (${condition}) { ${first}${charge.units > 0 ? js`cost += ${charge.units}; ` : js``}${leave} }`;
    this.lines.push({ depth: this.depth, text });
  }

  /** Leaves the function: the interpreter has to do it. */
  bail(condition: Fragment): void {
    this.line(js`if (${condition}) return undefined;`);
  }

  /**
   * Writes code whose failures are noted in `error` instead of leaving; where nothing failed, `out` is what the code gives. Gives false when
   * nothing can fail: then there is no block, and neither variable.
   */
  catching(label: Fragment, error: Fragment, out: Fragment, write: () => Fragment): boolean {
    const outer = this.target;
    const target: FailureTarget = { label, error, jumps: [] };
    const skipped = this.surcharge;
    this.target = target;
    this.surcharge = 0;
    let result: Fragment = error;
    let block: Scope | undefined;
    const body = this.nested(() => {
      block = this.current;
      result = write();
    });
    this.target = outer;
    this.surcharge = skipped;
    if (target.jumps.length === 0) {
      block!.dissolved = true;
      this.lines.push(...body.map((line) => ({ ...line, depth: line.depth - 1 })));
      return false;
    }
    this.line(js`let ${error}, ${out};`);
    this.line(js`${label}: {`);
    this.lines.push(...body);
    this.depth++;
    this.line(js`${out} = ${result};`);
    this.settle(target.jumps);
    this.depth--;
    this.line(js`}`);
    return true;
  }

  /** Brings the account of a block's end and of the ways out of it to their common part; the rest is added by each. */
  private settle(jumps: readonly Jump[]): void {
    const common = Math.min(this.spent, ...jumps.map(({ spent }) => spent));
    for (const { spent, charge } of jumps) charge.units = spent - common;
    this.addUnits(this.spent - common);
    this.spent = common;
  }

  private addUnits(units: number): void {
    if (units > 0) this.line(js`cost += ${units};`);
  }

  /** Writes `if (condition) … else …`; both branches end with the same account. */
  branch(condition: Fragment, yes: () => void, no?: () => void): void {
    const start = this.spent;
    this.line(js`if (${condition}) {`);
    const yesLines = this.nested(yes);
    const yesSpent = this.spent;
    this.spent = start;
    const noLines = no === undefined ? [] : this.nested(no);
    const common = Math.min(yesSpent, this.spent);
    this.lines.push(...yesLines);
    this.addUnitsDeeper(yesSpent - common);
    if (noLines.length > 0 || this.spent > common) {
      this.line(js`} else {`);
      this.lines.push(...noLines);
      this.addUnitsDeeper(this.spent - common);
    }
    this.line(js`}`);
    this.spent = common;
  }

  private addUnitsDeeper(units: number): void {
    this.depth++;
    this.addUnits(units);
    this.depth--;
  }

  private nested(write: () => void, isLoop = false): Line[] {
    const before = this.lines;
    const parent = this.current;
    this.lines = [];
    this.current = { parent, isLoop, dissolved: false };
    this.depth++;
    write();
    this.depth--;
    this.current = parent;
    const body = this.lines;
    this.lines = before;
    return body;
  }

  /** Adds all units spent so far, where code is about to run a number of times that is not known. */
  flush(): void {
    this.addUnits(this.spent);
    this.spent = 0;
  }

  /** Takes all units spent so far off the account: the caller adds them. */
  take(): number {
    const { spent } = this;
    this.spent = 0;
    return spent;
  }

  /** Writes a loop. Its body has to {@link flush} or {@link take} what an iteration spends. */
  loop(head: Fragment, body: () => void): void {
    this.flush();
    this.line(js`${head} {`);
    this.lines.push(...this.nested(body, true));
    this.line(js`}`);
  }

  /** The text of all lines. */
  source(): string {
    return this.lines.map(({ depth, text }) => '  '.repeat(depth) + text().source).join('\n');
  }
}
