// Mutants of the second model of costs, and of what else servers do since 1.38. Read by `mutants.mjs`.

const cel = 'libs/cel/src';
const GOLDEN = 'conformance/test/golden.spec.ts';
const PRICES = [`${cel}/library`, `${cel}/prices`, `${cel}/engines/interpret`, GOLDEN];
const CODE = [`${cel}/library/code`, `${cel}/engines/codegen`, GOLDEN];
const LANGUAGE = [`${cel}/language`, GOLDEN];

/** @type {(id: string, file: string, find: string, replace: string, breaks: string, specs: readonly string[]) => import('./mutants.mjs').Mutant} */
const mutant = (id, file, find, replace, breaks, specs) => ({ id, file, find, replace, breaks, specs });

/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const MODEL_MUTANTS = [
  mutant(
    'model-presence',
    `${cel}/prices/model-estimator.ts`,
    '(!node.testOnly || this.#options.costs.presenceTestsHaveSizes)',
    '!node.testOnly',
    'has() has the size of its field (1.38)',
    PRICES,
  ),
  mutant(
    'model-entries',
    `${cel}/prices/model-estimator.ts`,
    'this.#sizes.of(container)?.element ?? ',
    '',
    'an entry has the size that its container knows (1.38)',
    PRICES,
  ),
  mutant(
    'model-exact',
    `${cel}/library/range.ts`,
    'if (units === MAX_UNITS) return MAX_UNITS;',
    '',
    'what is unbounded stays unbounded (1.38)',
    PRICES,
  ),
  mutant(
    'failed-left',
    `${cel}/engines/interpret/operator-nodes.ts`,
    'left instanceof CelError && frame.semantics.failuresEndCalls ? left : ',
    '',
    'a failed left operand ends a comparison (1.38)',
    CODE,
  ),
  mutant(
    'failed-literal-code',
    `${cel}/engines/codegen/emit.ts`,
    'if (!g.failuresEndCalls) g.writer.charge(units);',
    'g.writer.charge(units);',
    'generated literals that fail cost nothing (1.38)',
    CODE,
  ),
  mutant(
    'suggested-names',
    `${cel}/language/check/symbol-catalog.ts`,
    'length <= 3 ? 1 :',
    'length <= 3 ? 2 :',
    'how similar a suggested name is (1.38)',
    LANGUAGE,
  ),
];
