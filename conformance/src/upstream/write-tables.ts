import type { UpstreamJudge } from '../upstream-answer.ts';
import { judgeDefinitionMisc, judgeDefinitionStrategy, judgeDefinitionValidation, judgeDefinitionWrite } from './definition-tables.ts';
import { judgeFormat, judgeName, judgeObjectMeta } from './name-tables.ts';
import { judgeObjectStep } from './object-tables.ts';
import { judgeOpenApi, judgeOpenApiSchema } from './openapi-tables.ts';
import { judgeStrategy } from './strategy-table.ts';
import { judgeStructural, judgeVersionSchema } from './schema-tables.ts';

/** Functions that compare Assay's results with the tables about definitions, objects and names, by file name. */
export const WRITE_JUDGES: Readonly<Record<string, UpstreamJudge>> = {
  'crd-validate': judgeDefinitionValidation,
  'crd-schema': judgeVersionSchema,
  'crd-misc': judgeDefinitionMisc,
  'crd-write': judgeDefinitionWrite,
  'crd-write-derived': judgeDefinitionWrite,
  'crd-strategy': judgeDefinitionStrategy,
  structural: judgeStructural,
  'object-steps': judgeObjectStep,
  'openapi-validate': judgeOpenApi,
  'openapi-schema': judgeOpenApiSchema,
  'cr-strategy': judgeStrategy,
  formats: judgeFormat,
  names: judgeName,
  objectmeta: judgeObjectMeta,
};
