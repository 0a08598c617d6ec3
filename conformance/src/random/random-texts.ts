/** Valid texts of each string format. The generator derives similar texts from them. Kubernetes ignores dashes in the names of formats. */
const SEEDS: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011'],
  uri: [
    'https://user:pa%20ss@example.com:8443/a/b;c?q=1&r=%C3%A9#frag',
    '/a//b/../c',
    'mailto:x@y.z',
    'http://[fe80::1%25en0]:80/',
    'urn:isbn:1',
    '*',
    'http://[::ffff:1.2.3.4]/',
  ],
  email: ['a.b+c@example.com', '"quo ted"@example.org', 'Name <n@example.com>', 'é@exämple.com', 'a@[127.0.0.1]', '=?utf-8?q?a?= <a@b>'],
  hostname: ['example.com', 'a-b.c-d.org', 'xn--bcher-kva.example', 'bücher.de', 'a_b.com', 'localhost'],
  ipv4: ['192.168.0.1', '255.255.255.255', '010.1.2.3', '::ffff:1.2.3.4'],
  ipv6: ['2001:db8::1', '::', 'fe80::1%eth0', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', '1::'],
  cidr: ['10.0.0.0/8', '2001:db8::/32', '010.0.0.0/08', '::ffff:1.2.3.4/96'],
  mac: [
    '00:00:5e:00:53:01',
    '0000.5e00.5301',
    '02-00-5e-10-00-00-00-01',
    '00005e005301',
    '00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01',
  ],
  uuid: ['f47ac10b-58cc-4372-a567-0e02b2c3d479', 'F47AC10B58CC4372A5670E02B2C3D479'],
  uuid3: ['a3bb189e-8bf9-3888-9912-ace4e6543002'],
  uuid4: ['f47ac10b-58cc-4372-a567-0e02b2c3d479'],
  uuid5: ['886313e1-3b8a-5372-9b90-0c9aee199e5d'],
  isbn: ['978-3-16-148410-0', '080442957X', '0-306-40615-2'],
  isbn10: ['080442957X', '0-306-40615-2', '0 306 40615 2'],
  isbn13: ['978-3-16-148410-0', '9783161484100'],
  creditcard: ['4111111111111111', '5500-0000-0000-0004', '378282246310005', '6011 1111 1111 1117', '3530111333300000'],
  ssn: ['111-11-1111', '111 11 1111', '078-05-1120'],
  hexcolor: ['#fff', 'A0b1C2'],
  rgbcolor: ['rgb(0,128,255)', 'rgb( 1 , 2 , 3 )', 'rgb(256,0,0)'],
  byte: ['aGVsbG8=', 'YQ==', 'YWJj', 'YWJjZA'],
  date: ['2024-02-29', '0000-01-01', '9999-12-31', '2023-02-29'],
  'date-time': [
    '2024-02-29T12:34:56Z',
    '2024-01-01T00:00:00.123456789+14:00',
    '1996-12-19t16:39:57-08:00',
    '2016-12-31T23:59:60Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01 00:00:00Z',
  ],
  duration: ['1h30m', '1.5s', '-2us', '3 days', '1w 2d', '10ns', '1µs', '5 minutes', '9223372036854775807ns'],
  'k8s-short-name': ['my-name', 'a', 'abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-0123456789'],
  'k8s-long-name': ['my-name.example.com', 'a.b-c.d'],
  password: ['x'],
};

/** Characters that formats distinguish, and characters of foreign scripts that some languages treat as digits, letters or space. */
const ODD = [...'0123456789abcdefxzABCFXTZ.:-/+@%#[](),_ \t\n"\\é٣１ﬀ\u{1F451}\u00a0\u2028\u0000=;?&*~'];

/**
 * Generator of random texts for string formats. Most of the texts are valid except for a few characters. The same random numbers lead to
 * the same texts.
 */
export class RandomTexts {
  readonly #random: () => number;

  /**
   * Creates a generator.
   *
   * @param random function that returns random numbers from 0 up to, but not including, 1
   */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Returns a random format, and a valid text of this format with up to four typing errors. In one of eight cases, the text is derived from
   * a randomly chosen format instead.
   */
  next(): { readonly format: string; readonly text: string } {
    const formats = Object.keys(SEEDS);
    const format = this.#oneOf(formats);
    return { format, text: this.near(SEEDS[this.#below(8) === 0 ? this.#oneOf(formats) : format]!) };
  }

  /** Returns a random element of `texts` with up to four typing errors. */
  near(texts: readonly string[]): string {
    let text = [...this.#oneOf(texts)];
    for (let slips = this.#below(5); slips > 0; slips--) text = this.#slip(text);
    return text.join('');
  }

  #slip(text: readonly string[]): string[] {
    const at = this.#below(text.length + 1);
    const [before, after] = [text.slice(0, at), text.slice(at)];
    switch (this.#below(6)) {
      case 0:
        return [...before, ...after.slice(1)];
      case 1:
        return [...before, this.#oneOf(ODD), ...after];
      case 2:
        return [...before, this.#oneOf(ODD), ...after.slice(1)];
      case 3:
        return [...before, ...after.slice(0, 1), ...after];
      case 4:
        return [...after, ...before];
      default:
        return text.map((character) => (this.#below(8) === 0 ? swapCase(character) : character));
    }
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #oneOf<T>(items: readonly T[]): T {
    return items[this.#below(items.length)]!;
  }
}

function swapCase(character: string): string {
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
}
