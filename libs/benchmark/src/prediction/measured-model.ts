import measured from './server-model.json' with { type: 'json' };
import type { ServerModel } from './predict-server-time.ts';

/**
 * Model of a server's speed from the most recent measurement. `npm run bench -- predictions` measures it and writes `server-model.json`,
 * which also describes the circumstances of the measurement.
 */
export const MEASURED_MODEL = measured as ServerModel;
