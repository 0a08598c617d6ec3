import { USER } from './runtime-files.ts';

/** The folder of the service in the image. */
export const HOME = 'assay';

/** Program for the health check. It exits with status 0 if the service is ready, and with 1 if it is not. */
const ASKS_READINESS = 'fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))';

const SECOND = 1e9;

/**
 * Settings of containers of the image, as an OCI image configuration. `Healthcheck` is a setting that Docker adds to this format. The
 * Dockerfile has the same settings, and a spec checks that they are equal.
 */
export const IMAGE_SETTINGS = {
  User: `${USER}:${USER}`,
  ExposedPorts: { '8080/tcp': {} },
  Env: ['PATH=/usr/local/bin', 'NODE_ENV=production', 'HOST=0.0.0.0', 'PORT=8080', 'ASSAY_JOURNAL=/data/journal.sqlite'],
  Cmd: ['node', '--max-semi-space-size=16', '--import', './dist/apps/api/src/preload.js', 'dist/apps/api/src/main.js'],
  Volumes: { '/data': {} },
  WorkingDir: `/${HOME}`,
  StopSignal: 'SIGTERM',
  Healthcheck: {
    Test: ['CMD', 'node', '-e', ASKS_READINESS],
    Interval: 10 * SECOND,
    Timeout: 5 * SECOND,
    StartPeriod: 20 * SECOND,
    Retries: 3,
  },
};
