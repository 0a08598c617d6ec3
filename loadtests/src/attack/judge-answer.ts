import type { Answer, Attack } from './attack.ts';

/** Headers that every answer must have, with patterns of their values (apps/api/src/security-headers.ts). */
const SECURITY_HEADERS: Readonly<Record<string, RegExp>> = {
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/i,
  'cache-control': /no-store/,
  'content-security-policy': /default-src 'none'/,
};
/** Pattern of texts that reveal internals of the service, such as stack traces and source files. */
const INSIDES = /node_modules|\bat [A-Za-z.<>]+ \(|\/src\/|\.ts:\d+|\.js:\d+/;

/** Returns descriptions of everything that is wrong with an answer. */
export function faultsOf({ codes, says }: Pick<Attack, 'codes' | 'says'>, answer: Answer): string[] {
  const { code, headers, body, isCut } = answer;
  if (!codes.includes(code)) return [`answered ${worded(code)}, right are ${codes.map(worded).join(', ')}: ${body.slice(0, 200)}`];
  if (code <= 0) return [];
  const missing = Object.entries(SECURITY_HEADERS).flatMap(([name, value]) => (value.test(headers[name] ?? '') ? [] : [name]));
  return [
    ...(missing.length > 0 ? [`${code} without ${missing.join(', ')}`] : []),
    ...(code >= 400 ? statusFaults(answer) : []),
    ...(says && !isCut && code < 500 && code !== 408 && !says.test(body)
      ? [`${code} does not say ${says.source}: ${body.slice(0, 200)}`]
      : []),
  ];
}

const worded = (code: number): string => (code === 0 ? 'an end without answer' : code === -1 ? 'nothing in time' : String(code));

/**
 * Returns the faults of a refusal. A correct refusal is a metav1.Status with the code of the answer and does not show paths or stacks of
 * the service.
 */
function statusFaults({ code, body, isCut }: Answer): string[] {
  if (isCut) return [];
  const status = parsed(body);
  if (status?.['kind'] !== 'Status' || status['code'] !== code) return [`${code} is no Status: ${body.slice(0, 200)}`];
  return INSIDES.test(String(status['message'])) ? [`${code} tells of the inside: ${body.slice(0, 200)}`] : [];
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
