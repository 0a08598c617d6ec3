import measured from './server-model.json' with { type: 'json' };
import type { ServerModel } from './predict-server-time.ts';

/**
 * The most recently measured model of a server's speed. `npm run bench -- predictions` writes its file, with the circumstances of the
 * measurement.
 */
export const MEASURED_MODEL = measured as ServerModel;
