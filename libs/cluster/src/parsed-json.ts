/** Returns the value of a JSON text; undefined if the text is no JSON. */
export function parsedJson(text: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString());
  } catch {
    return undefined;
  }
}
