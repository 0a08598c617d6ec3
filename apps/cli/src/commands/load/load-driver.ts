import type { sendLoad, sendWrites } from '../../../../../loadtests/src/load/send-load.ts';
import { UsageError } from '../../usage.ts';

/** Functions of the load driver, which sends requests at a fixed rate or over a number of connections. */
export interface LoadDriver {
  readonly sendLoad: typeof sendLoad;
  readonly sendWrites: typeof sendWrites;
}

/** Loads the load driver, which is only in the repository clone. Throws {@link UsageError} in the published package. */
export async function loadDriver(): Promise<LoadDriver> {
  const { sendLoad, sendWrites }: Partial<LoadDriver> = await import('../../../../../loadtests/src/load/send-load.ts');
  if (sendLoad === undefined || sendWrites === undefined)
    throw new UsageError('load is a part of the clone of Assay, not of this package: ./assay load URL -f FILES');
  return { sendLoad, sendWrites };
}
