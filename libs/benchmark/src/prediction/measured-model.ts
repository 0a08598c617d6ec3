import measured from './server-model.json' with { type: 'json' };
import type { ServerModel } from './predict-server-time.ts';

/** The model that was measured last: `npm run bench -- predictions` writes it, with the circumstances of the measurement. */
export const MEASURED_MODEL = measured as ServerModel;
