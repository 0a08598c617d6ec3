import type { Family } from './attack.ts';
import { bodiesJson } from './families/bodies-json.ts';
import { bodiesNdjson } from './families/bodies-ndjson.ts';
import { bodiesYaml } from './families/bodies-yaml.ts';
import { definitions } from './families/definitions.ts';
import { httpRaw } from './families/http-raw.ts';
import { identity } from './families/identity.ts';
import { options } from './families/options.ts';
import { patterns } from './families/patterns.ts';
import { rules } from './families/rules.ts';
import { stores } from './families/stores.ts';
import { streams } from './families/streams.ts';
import { studies } from './families/studies.ts';
import { text } from './families/text.ts';

/** All families of attacks, in the order in which they run. */
export const FAMILIES: readonly Family[] = [
  httpRaw,
  options,
  identity,
  text,
  bodiesJson,
  bodiesYaml,
  bodiesNdjson,
  definitions,
  rules,
  patterns,
  streams,
  stores,
  studies,
];
