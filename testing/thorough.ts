import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * Whether tests run in their long form: where the recorded behaviour of upstream lies beside the project, or ASSAY_THOROUGH is set (CI sets it).
 * A stranger's `npm test` takes the short form: shorter texts and walks, and no fleets of processes; it lists what it skips.
 */
export const thorough = process.env['ASSAY_THOROUGH'] !== undefined || existsSync(resolve(ROOT, '../shared/oracle/golden'));
