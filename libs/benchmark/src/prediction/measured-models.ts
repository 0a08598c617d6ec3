import measuredPolicy from './policy-model.json' with { type: 'json' };
import type { PolicyModel } from './policy-work.ts';
import type { ServerModel } from './predict-server-time.ts';
import measured from './server-model.json' with { type: 'json' };

/**
 * Most recent model of the speed of a real API server, from which CPU times of rules are predicted. `npm run bench -- predictions` measures
 * the model and writes `server-model.json`. This file also describes the circumstances of the measurement.
 */
export const MEASURED_MODEL = measured as ServerModel;

/**
 * Most recent model of the speed of the policy plugin in a real API server. `npm run bench -- policies` measures the model and writes
 * `policy-model.json`. This file also describes the circumstances of the measurement.
 */
export const MEASURED_POLICY_MODEL: PolicyModel = measuredPolicy;
