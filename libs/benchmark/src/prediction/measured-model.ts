import measured from './server-model.json' with { type: 'json' };
import type { ServerModel } from './predict-server-time.ts';

/**
 * Most recent model of the speed of a real API server, from which CPU times of rules are predicted. `npm run bench -- predictions` measures
 * the model and writes `server-model.json`. This file also describes the circumstances of the measurement.
 */
export const MEASURED_MODEL = measured as ServerModel;
