import type { EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import type { Engine } from '#runner';
import { estimateChanges, pairDefinitions } from '#service';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { failedChangeGates } from '../../gates/change-gates.ts';
import { isChangeGate } from '../../gates/gate-list.ts';
import type { GateName } from '../../gates/gate-list.ts';
import type { Gate } from '../../gates/read-gates.ts';
import type { FailedGate } from './study-gate.ts';

/** Definitions of both revisions. `before` is undefined if there is no older revision. */
interface Revisions {
  readonly definitions: readonly PlacedDocument[];
  readonly before: readonly PlacedDocument[] | undefined;
}

/**
 * Returns the gates that the estimates of the definitions fail. The estimates do not depend on the time budget. Without gates on estimates,
 * nothing is estimated.
 */
export async function failedEstimates(
  engine: Engine,
  { definitions, before }: Revisions,
  {
    failOn,
    minors,
    options,
  }: { readonly failOn: readonly Gate<GateName<'bench'>>[]; readonly minors: readonly Minor[]; readonly options: EvaluationOptions },
): Promise<readonly FailedGate[]> {
  if (!failOn.some(({ name }) => isChangeGate(name))) return [];
  const failed: FailedGate[] = [];
  for (const { from, to } of pairDefinitions(before ?? [], definitions)) {
    if (to === undefined) continue;
    const estimates = await estimateChanges(engine, { from: before === undefined ? 'none' : from?.slice, to: to.slice }, options);
    for (const { name, gate, version, path, text } of failedChangeGates(estimates, failOn, minors))
      failed.push({ name, gate, source: to.source, ...(version !== undefined && { version }), ...(path !== undefined && { path }), text });
  }
  return failed;
}
