import { z } from 'zod';
import { settingsFileSchema } from '../../apps/cli/src/options/settings-schema.ts';

/** Returns the JSON Schema of the settings file `.assay.yaml`. Editors use it for completion and checks. */
export function projectSettingsSchema(): string {
  return `${JSON.stringify({ title: 'Settings of assay (.assay.yaml)', ...z.toJSONSchema(settingsFileSchema) }, null, 2)}\n`;
}
