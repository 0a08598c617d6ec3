import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import type { AddressInfo } from 'node:net';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/**
 * Starts a static file host that serves a folder below a path, as any host of the site does. `policy` is the content security policy for
 * all files.
 */
export async function servePage(folder: string, policy?: string): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://here').pathname.replace(/^\/some\/path\//, '/'));
    try {
      const file = path.endsWith('/') ? `${path}index.html` : path;
      const body = readFileSync(join(folder, file));
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
      if (policy !== undefined) response.setHeader('content-security-policy', policy);
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path/`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
