import { CancellationFlag } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { describe, expect, it } from 'vitest';
import { compileExpression } from '../compile-rule.ts';
import { environmentFor } from '../language/environment.ts';
import { declaredOf } from '../testing/compile-fixture.ts';
import type { SchemaFixture } from '../testing/compile-fixture.ts';
import { ArrayList } from '../values/list.ts';
import { CelError } from '../values/value.ts';
import type { Linker } from './codegen/compiled-program.ts';
import type { EngineChoice } from './plan-program.ts';
import type { Program } from './program.ts';

const INTS: SchemaFixture = { type: 'array', items: { type: 'integer' } };
/** A list that is long enough for two things: an adaptive program generates code, and loops check the cancellation token. */
const self = new ArrayList(Array.from({ length: 2_000 }, (_, i) => i));
const limits = { costLimit: Number.MAX_SAFE_INTEGER, token: undefined };

/** Linker that throws the same error as `new Function` under a Content-Security-Policy without `unsafe-eval`. */
const forbidding: Linker = () => {
  throw new EvalError('Code generation from strings disallowed for this context');
};

function programOf(engine: EngineChoice | undefined): Program {
  const environment = environmentFor(LATEST_MINOR, 'stored');
  const compiled = compileExpression('self.all(e, e >= 0)', {
    self: declaredOf(INTS),
    oldSelf: 'plain',
    environment,
    expect: 'bool',
    engine,
  });
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.program;
}

describe('a program', () => {
  it.each<[what: string, engine: EngineChoice | undefined, runsAs: Program['engine'], obstacle: string | undefined]>([
    ['without a choice of engine', undefined, 'interpreted', 'no linker was handed in'],
    ['that is to be interpreted', 'interpreted', 'interpreted', undefined],
    ['of generated code', nodeEngine('compiled'), 'compiled', undefined],
    ['that adapts', nodeEngine('adaptive'), 'compiled', undefined],
    [
      'of generated code where the host forbids it',
      { kind: 'compiled', link: forbidding },
      'interpreted',
      'the host forbids code from strings',
    ],
    [
      'that adapts where the host forbids code',
      { kind: 'adaptive', link: forbidding },
      'interpreted',
      'the host forbids code from strings',
    ],
  ])('%s gives the same value and names its engine', (_, engine, runsAs, obstacle) => {
    const program = programOf(engine);
    for (let run = 0; run < 3; run++) expect(program.evaluate({ self }, limits)).toEqual({ value: true, cost: 10_002 });
    expect({ engine: program.engine, obstacle: program.obstacle }).toEqual({ engine: runsAs, obstacle });
  });

  it('throws an error of the linker, instead of falling back to the interpreter', () => {
    const link: Linker = () => {
      throw new TypeError('a bug');
    };
    expect(() => programOf({ kind: 'compiled', link })).toThrow('a bug');
  });

  it.each(['compiled', 'interpreted', 'adaptive'] as const)('stops if the token is cancelled, whatever its class: %s', (name) => {
    const raised = new CancellationFlag();
    raised.cancel();
    for (const token of [raised, { cancelled: true }]) {
      const { value } = programOf(nodeEngine(name)).evaluate({ self }, { ...limits, token });
      expect(value).toEqual(new CelError('operation interrupted', 'interrupted'));
    }
  });
});
