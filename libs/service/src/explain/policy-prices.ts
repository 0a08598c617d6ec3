import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { AdmissionReport, CostliestRun, ExpressionPrice, PolicyPrice } from '#documents';

/**
 * Cost and findings of the admission policies for one object of a batch, when a request creates or updates the object. `item` is the index
 * of the object in the batch, from 0.
 */
export interface ItemAdmission {
  readonly item: number;
  readonly admission: AdmissionReport;
}

/**
 * Adds up the costs of policies over a batch of explained verdicts. The result is in descending order of the cost of each policy's most
 * expensive evaluation.
 */
export function policyPrices(admissions: Iterable<ItemAdmission>): PolicyPrice[] {
  const policies = new Map<string, { sum: Sum; expressions: Map<string, ExpressionSum> }>();
  for (const { item, admission } of admissions)
    for (const { policy, cost, expressions } of admission.policies ?? []) {
      const known = policies.get(policy) ?? { sum: new Sum(), expressions: new Map<string, ExpressionSum>() };
      policies.set(policy, known);
      known.sum.add(item, cost);
      for (const { part, index, name, cost: own } of expressions) {
        const key = `${part} ${index}`;
        const expression = known.expressions.get(key) ?? { sum: new Sum(), part, index, ...(name !== undefined && { name }) };
        known.expressions.set(key, expression);
        expression.sum.add(item, own);
      }
    }
  return [...policies].map(([policy, { sum, expressions }]) => priceOf(policy, sum, [...expressions.values()])).toSorted(costliestFirst);
}

interface ExpressionSum extends Pick<ExpressionPrice, 'part' | 'index' | 'name'> {
  readonly sum: Sum;
}

function priceOf(policy: string, { counted }: Sum, expressions: readonly ExpressionSum[]): PolicyPrice {
  return {
    policy,
    ...counted,
    budgetShare: counted.costliest.cost / OBJECT_BUDGET,
    expressions: expressions
      .map(({ sum, ...expression }) => ({ ...expression, ...sum.counted, limitShare: sum.counted.costliest.cost / PER_CALL_LIMIT }))
      .toSorted(costliestFirst),
  };
}

const costliestFirst = (a: { readonly costliest: CostliestRun }, b: { readonly costliest: CostliestRun }): number =>
  b.costliest.cost - a.costliest.cost;

/** Sum of the costs of evaluations, with their number and the most expensive evaluation. */
class Sum {
  #evaluations = 0;
  #cost = 0;
  #costliest: CostliestRun = { item: 0, cost: -1 };

  add(item: number, cost: number): void {
    this.#evaluations++;
    this.#cost += cost;
    if (cost > this.#costliest.cost) this.#costliest = { item, cost };
  }

  get counted(): { readonly evaluations: number; readonly cost: number; readonly costliest: CostliestRun } {
    return { evaluations: this.#evaluations, cost: this.#cost, costliest: this.#costliest };
  }
}
