import { nearestName } from '#go';
import { settingsIn } from './setting.ts';
import { OTHER_VARIABLES, SETTINGS } from './table.ts';

const PREFIX = 'ASSAY_';

/**
 * Suffixes of the variables that Kubernetes sets in a container for each Service of the namespace, such as `ASSAY_SERVICE_HOST`. The
 * variable that ends in `_PORT` has a URL as its value. Source: pkg/kubelet/envvars/envvars.go (1.37).
 */
const SERVICE_LINK = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
const SERVICE_URL = /^(?:tcp|udp|sctp):\/\//;

/**
 * Returns a warning for each variable that begins with `ASSAY_` and is not a setting, with the most similar setting. There is no warning for
 * the variables that Kubernetes sets for a Service.
 */
export function unknownSettings(variables: NodeJS.ProcessEnv): readonly string[] {
  const settings = settingsIn(SETTINGS).map(({ variable }) => variable);
  const known = new Set([...settings, ...Object.keys(OTHER_VARIABLES)]);
  const unknown = Object.entries(variables).filter(
    ([name, value = '']) => name.startsWith(PREFIX) && !known.has(name) && !isServiceLink(name, value),
  );
  return unknown.map(([name]) => {
    const similar = nearestName(name, settings) ?? settings.find((setting) => isPart(name, setting));
    return `${name} is not a setting, and has no effect${similar === undefined ? '' : `. Did you mean ${similar}?`}`;
  });
}

/** Returns true if `name` is a setting without its last words, such as `_BYTES`, or a setting with a prefix. */
function isPart(name: string, setting: string): boolean {
  return setting.startsWith(`${name}_`) || setting === name.slice(PREFIX.length);
}

function isServiceLink(name: string, value: string): boolean {
  return SERVICE_LINK.test(name) || (name.endsWith('_PORT') && SERVICE_URL.test(value));
}
