import { z } from 'zod';
import { settingsFileSchema } from '../../apps/cli/src/settings-file.ts';

/** The JSON Schema of `.assay.yaml`, for editors. */
export function projectSettingsSchema(): string {
  return `${JSON.stringify({ title: 'Settings of assay (.assay.yaml)', ...z.toJSONSchema(settingsFileSchema) }, null, 2)}\n`;
}
