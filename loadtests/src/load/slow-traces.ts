import type { ExperimentResult } from '../result/summary.ts';
import type { OpenLoad } from './open-load.ts';

const JAEGER = process.env['ASSAY_JAEGER_UI'] ?? 'http://127.0.0.1:16686';
const PATIENCE_MS = 500;

/** Traces of the slowest requests of loads, for a result; with links where Jaeger answers (`ASSAY_JAEGER_UI`, http://127.0.0.1:16686 by default). */
export async function slowTraces(
  loads: readonly { readonly name: string; readonly load: OpenLoad }[],
): Promise<ExperimentResult['traces']> {
  const linked = await answers(JAEGER);
  return loads.flatMap(({ name, load }) =>
    load.slowest.map(({ traceId, ms }) => ({
      label: `${name}: ${ms.toFixed(1)} ms`,
      traceId,
      ...(linked && { url: `${JAEGER}/trace/${traceId}` }),
    })),
  );
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })).ok;
  } catch {
    return false;
  }
}
