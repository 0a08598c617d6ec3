import type { JSX } from 'preact';
import type { PageSession } from '../state/page-session.ts';

/** Input field for the access key of the server. The page keeps the key in memory only. */
export const KeyField = ({ session }: { readonly session: PageSession }): JSX.Element => (
  <label>
    Access key{' '}
    <input
      type="password"
      autocomplete="off"
      value={session.serverKey}
      onInput={(event) => {
        session.serverKey = event.currentTarget.value;
      }}
    />
  </label>
);
