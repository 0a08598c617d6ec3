import measured from './policy-model.json' with { type: 'json' };
import type { PolicyModel } from './policy-work.ts';

/**
 * Most recent model of the speed of the policy plugin in a real API server. `npm run bench -- policies` measures the model and writes
 * `policy-model.json`. This file also describes the circumstances of the measurement.
 */
export const MEASURED_POLICY_MODEL: PolicyModel = measured;
