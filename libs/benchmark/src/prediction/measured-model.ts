import measured from './server-model.json' with { type: 'json' };
import type { ServerModel } from './predict-server-time.ts';

/** The most recently measured model. `npm run bench -- predictions` writes its file, with the circumstances of the measurement. */
export const MEASURED_MODEL = measured as ServerModel;
